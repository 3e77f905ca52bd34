import { startProduct } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import { CONNECTIONS, measure, productRequests, runLoad, type Window, waitUntilChained } from './reads.ts'
import { figure, median } from './report.ts'
import type { Table } from './table.ts'

/** The first one is what the others are compared with. */
const SHAPES = [
  'ion pop',
  'pop ion a',
  'ghe mar p',
  'popescu maria elena',
  'pop ion a b',
  'pop a b',
  'p a b',
  'ion e v a',
]

/** Measures searches of more words than two beside one of two words, in rotation; a row has the medians of its windows. */
export async function measureShapes(
  database: BenchDatabase,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Table> {
  const windows = SHAPES.map((): Window[] => [])
  const product = await startProduct(database, { audit: true })
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, search] of SHAPES.entries()) {
        const requests = await productRequests(product, {
          operation: 'Patients',
          who: 'reviewer',
          variables: [{ search }],
        })
        const task = { url: product.url, requests, connections: CONNECTIONS, seconds }
        if (round === 0) await runLoad({ ...task, seconds: 2 })
        await waitUntilChained(database.db)
        const window = await measure(database, product.pid, task, search)
        windows[place]!.push(window)
        process.stderr.write(`${search}: ${figure(window.perSecond)}\n`)
      }
    }
  } finally {
    await product.stop()
  }
  const ratio = (each: readonly Window[]) =>
    median(each.map(({ perSecond }, round) => windows[0]![round]!.perSecond / perSecond))
  const middle = (each: readonly Window[], key: 'perSecond' | 'serverCpu' | 'databaseCpu') =>
    figure(median(each.map((window) => window[key])))
  return {
    title: 'Searches of more words than two',
    columns: ['search', 'req/s', '× two words', 'server CPU ms', 'db CPU ms'],
    rows: windows.map((each, place) => [
      SHAPES[place]!,
      middle(each, 'perSecond'),
      figure(ratio(each)),
      middle(each, 'serverCpu'),
      middle(each, 'databaseCpu'),
    ]),
    notes: [
      '_× two words_: the time of a request (1 : req/s) to that of the first search in the same round.',
    ],
  }
}
