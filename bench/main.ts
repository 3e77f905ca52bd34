import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startFloor, startProduct } from './contestants.ts'
import { startDatabase } from './database.ts'
import { describeMachine } from './machine.ts'
import { measureReads } from './reads.ts'
import { readsTable, toMarkdown } from './report.ts'

const { values: flags } = parseArgs({
  options: {
    patients: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    question: { type: 'string', default: '' },
    folder: { type: 'string', default: '/var/tmp/dosar-bench' },
  },
})

console.log(`${describeMachine()}\n`)
await using stack = new AsyncDisposableStack()
const scratch = await mkdtemp(join(tmpdir(), 'dosar-bench-'))
stack.defer(() => rm(scratch, { recursive: true, force: true }))
const database = await startDatabase(flags.folder, Number(flags.patients))
stack.defer(database.stop)
const floor = await startFloor(database, scratch)
stack.defer(floor.stop)
const product = await startProduct(database, { audit: true })
stack.defer(product.stop)
const unaudited = await startProduct(database, { audit: false })
stack.defer(unaudited.stop)
const results = await measureReads(
  database,
  { floor, product, unaudited },
  { rounds: Number(flags.rounds), seconds: Number(flags.seconds), only: flags.question },
)
console.log(toMarkdown(readsTable(results, `${flags.patients} patients`)))
