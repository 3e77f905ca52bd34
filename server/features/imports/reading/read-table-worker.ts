import { serveSandbox } from '../../../platform/sandbox/serve-sandbox.ts'
import { readTable } from './read-table.ts'

serveSandbox(readTable)
