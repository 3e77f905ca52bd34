import { serveSandbox } from '../../../../platform/sandbox/serve-sandbox.ts'
import { readCodes } from './codes.ts'

serveSandbox(readCodes)
