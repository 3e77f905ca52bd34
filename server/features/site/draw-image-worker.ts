import { serveSandbox } from '../../platform/sandbox/serve-sandbox.ts'
import { drawImage } from './draw-image.ts'

serveSandbox(drawImage)
