import { serveSandbox } from '../../../platform/sandbox/serve-sandbox.ts'
import { inspectFile } from './inspect-file.ts'

serveSandbox(inspectFile)
