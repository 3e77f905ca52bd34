import { serveSandbox } from '../../../platform/sandbox/serve-sandbox.ts'
import { summarizeCnps } from './found-cnps.ts'

serveSandbox(async (text: string) => summarizeCnps(text))
