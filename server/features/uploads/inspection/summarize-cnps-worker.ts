import { serveSandbox } from '../../../platform/sandbox.ts'
import { summarizeCnps } from './found-cnps.ts'

serveSandbox(async (text: string) => summarizeCnps(text))
