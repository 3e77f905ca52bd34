import { drawCases } from './cases.ts'
import { startProduct } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import type { LoadTask } from './load.ts'
import { familyTime } from './machine.ts'
import { CONNECTIONS, productRequests, runLoad, waitUntilChained } from './reads.ts'
import { figure, median } from './report.ts'
import type { Table } from './table.ts'

const WORKERS = [1, 2]
const CASES = ['newest 50 patients', "a patient's page", 'search, 200 pairs']

/** Measures queries of screens at one worker and at two, in rotation; a row has the medians of its windows. */
export async function measureWorkers(
  database: BenchDatabase,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Table> {
  const rows: string[][] = []
  const cases = (await drawCases(database.db)).filter(({ name }) => CASES.includes(name))
  for (const each of cases) {
    const windows = new Map(
      WORKERS.map((workers) => [workers, [] as { perSecond: number; p99: number; cpu: number }[]]),
    )
    for (let round = 0; round < rounds; round += 1) {
      for (const workers of WORKERS) {
        const product = await startProduct(database, { audit: true, workers })
        try {
          const requests = await productRequests(product, each)
          const task: LoadTask = { url: product.url, requests, connections: CONNECTIONS, seconds }
          await runLoad({ ...task, seconds: 2 })
          await waitUntilChained(database.db)
          const before = familyTime(product.pid)
          const { perSecond, p99, count, failed } = await runLoad(task)
          if (failed > 0) throw new Error(`${each.name}: ${failed} of ${count} responses failed`)
          await waitUntilChained(database.db)
          windows.get(workers)!.push({ perSecond, p99, cpu: (familyTime(product.pid) - before) / count })
        } finally {
          await product.stop()
        }
      }
    }
    for (const [workers, measured] of windows) {
      const middle = (key: 'perSecond' | 'p99' | 'cpu') =>
        figure(median(measured.map((window) => window[key])))
      rows.push([each.name, String(workers), middle('perSecond'), middle('p99'), middle('cpu')])
      process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
    }
  }
  return {
    title: 'Workers',
    columns: ['query', 'workers', 'req/s', 'p99', 'server cpu'],
    rows,
    notes: [
      'Load, database and workers share the cores of the machine. Server cpu: the main process and its workers.',
    ],
  }
}
