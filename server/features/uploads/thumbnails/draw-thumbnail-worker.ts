import { serveSandbox } from '../../../platform/sandbox/serve-sandbox.ts'
import { drawThumbnail } from './draw-thumbnail.ts'

serveSandbox(drawThumbnail)
