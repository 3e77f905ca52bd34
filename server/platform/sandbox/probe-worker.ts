import { serveSandbox } from './serve-sandbox.ts'

serveSandbox(async () => true)
