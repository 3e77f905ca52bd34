import { serveSandbox } from '../../platform/sandbox.ts'
import { drawImage } from './draw-image.ts'

serveSandbox(drawImage)
