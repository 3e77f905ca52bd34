export { seedDemo as default } from './product.ts'
