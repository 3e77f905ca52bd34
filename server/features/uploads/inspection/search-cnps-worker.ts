import { serveSandbox } from '../../../platform/sandbox.ts'
import { searchCnps } from './found-cnps.ts'

serveSandbox(async (text: string) => searchCnps(text))
