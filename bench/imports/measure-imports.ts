import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import type { TestClient } from '../../test/client.ts'
import { CHECK, READ_IMPORT, START, sendImport } from '../../test/imports/send-import.ts'
import { type Product, startProduct } from '../contestants.ts'
import { type BenchDatabase, startDatabase } from '../database.ts'
import { memoryOf } from '../machine.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'
import { makePeople } from './make-people.ts'

const ROWS = 100_000
const MAX_GROWTH_MIB = 100
const MAX_SLOWER = 2
/** Patients of the database before the import. */
const PATIENTS = 10_000
const POLL_PAUSE_MS = 250
const IDLE_MS = 20_000
const PROBE_PAUSE_MS = 50
const LIST = '{ patients(first: 50) { nodes { id number name cnpMasked birthDate phone locality } } }'

/**
 * Imports a table of people into a new database in `folder`, and measures each step: how much the server's memory grows, and
 * how long a colleague's list of patients takes meanwhile.
 */
export const measureImports = (folder: string): Promise<Table> => withOrganisation(folder, measure)

async function measure({ product }: Organisation): Promise<Table> {
  const { client } = product.people.reviewer
  const started = memoryOf(product.pid).now
  const idle = await probeDuring(product, () => pause(IDLE_MS))
  const before = memoryOf(product.pid).now
  const rows = [['no import', figure(IDLE_MS / 1_000), '', ...describeTimes(idle, idle)]]
  let peak = before
  const follow = async (name: string, state: string) => {
    const start = performance.now()
    const times = await probeDuring(product, () =>
      waitForState(client, id, state, () => {
        peak = Math.max(peak, memoryOf(product.pid).now)
      }),
    )
    const seconds = (performance.now() - start) / 1_000
    rows.push([name, figure(seconds), (peak - before).toFixed(0), ...describeTimes(times, idle)])
    process.stderr.write(`${rows.at(-1)!.join(' · ')}\n`)
  }
  const id = await send(client, ROWS)
  await follow('read', 'read')
  await startCheck(client, id)
  await follow('check', 'checked')
  const { checked } = await startImport(client, id)
  await follow('import', 'done')
  const done = await readImport(client, id)
  const isSame = JSON.stringify(done.imported) === JSON.stringify(checked)
  return {
    title: `The import of ${ROWS} patients from CSV`,
    columns: ['step', 'seconds', 'server has grown, MiB', 'list, median ms', 'list, p99 ms', '× no import'],
    rows,
    notes: [
      `Check and import ${isSame ? 'agree' : '**disagree**'}: ${describeCounts(done.imported)}.`,
      `Goal: ≤ ${MAX_GROWTH_MIB} MiB: ${peak - before <= MAX_GROWTH_MIB ? 'met' : '**not met**'}. The server had ${started.toFixed(0)} MiB after its start, and ${before.toFixed(0)} after the lists without an import.`,
      `Goal: p99 ≤ ${MAX_SLOWER} × no import.`,
    ],
  }
}

/** `restart` kills the server and starts it again. */
export type Organisation = { database: BenchDatabase; product: Product; restart(): Promise<void> }

/** Runs `work` with the product on a new database in `folder`, with the people of the demo. */
export async function withOrganisation<Result>(
  folder: string,
  work: (organisation: Organisation) => Promise<Result>,
): Promise<Result> {
  const database = await startDatabase(folder, PATIENTS)
  try {
    const start = () => startProduct(database, { audit: true })
    const organisation: Organisation = {
      database,
      product: await start(),
      restart: async () => {
        process.kill(organisation.product.pid, 'SIGKILL')
        await organisation.product.stop()
        organisation.product = await start()
      },
    }
    try {
      return await work(organisation)
    } finally {
      await organisation.product.stop()
    }
  } finally {
    await database.stop()
  }
}

type Import = {
  state: string
  problem: string | null
  version: number
  columns: unknown
  checked: Count[]
  imported: Count[]
  checkedRows: number
  importedRows: number
}
type Count = { outcome: string; rows: number }

export async function send(client: TestClient, rows: number): Promise<string> {
  const response = await sendImport(client, 'pacienti.csv', makePeople(rows))
  return ((await response.json()) as { id: string }).id
}

export const readImport = async (client: TestClient, id: string): Promise<Import> =>
  (await client.runQuery(READ_IMPORT, { id })).patientImport

export async function startCheck(client: TestClient, id: string): Promise<void> {
  const { version, columns } = await readImport(client, id)
  await client.runQuery(CHECK, { id, version, columns, overwrites: false })
}

/** Returns the import as it was checked. */
export async function startImport(client: TestClient, id: string): Promise<Import> {
  const checked = await readImport(client, id)
  await client.runQuery(START, { id, version: checked.version })
  return checked
}

export async function waitForState(
  client: TestClient,
  id: string,
  state: string,
  onPoll: () => void = () => undefined,
): Promise<void> {
  for (;;) {
    const found = await readImport(client, id)
    onPoll()
    if (found.state === state) return
    if (found.state === 'unreadable') throw new Error(`the table is unreadable: ${found.problem}`)
    await pause(POLL_PAUSE_MS)
  }
}

/** Reads the list of patients again and again while `work` runs; returns the milliseconds of each response, sorted. */
async function probeDuring(product: Product, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  let isWorking = true
  const probe = async () => {
    while (isWorking) {
      const sent = performance.now()
      await product.people.colleague.client.runQuery(LIST)
      times.push(performance.now() - sent)
      await pause(PROBE_PAUSE_MS)
    }
  }
  const probing = probe()
  await work().finally(() => {
    isWorking = false
  })
  await probing
  return times.toSorted((a, b) => a - b)
}

const quantile = (times: readonly number[], share: number): number =>
  times[Math.min(times.length - 1, Math.floor(times.length * share))]!

const describeTimes = (times: readonly number[], idle: readonly number[]): string[] => [
  figure(quantile(times, 0.5)),
  figure(quantile(times, 0.99)),
  figure(quantile(times, 0.99) / quantile(idle, 0.99)),
]

export const describeCounts = (counts: readonly Count[]): string =>
  counts.map(({ outcome, rows }) => `${rows} ${outcome}`).join(', ')
