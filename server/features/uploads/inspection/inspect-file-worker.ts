import { serveSandbox } from '../../../platform/sandbox.ts'
import { inspectFile } from './inspect-file.ts'

serveSandbox(inspectFile)
