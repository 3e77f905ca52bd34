import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { getOperationAST, parse } from 'graphql'
import { readOperations } from '../server/http/graphql/operations.ts'
import type { Db } from '../server/platform/database/database.ts'
import { drawCases, type ReadCase } from './cases.ts'
import { bearerOf, type Product } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import type { LoadRequest, LoadResult, LoadTask } from './load.ts'
import { databaseTime, forgetPeak, memoryOf, processorTime } from './machine.ts'
import { type Running, runWorker } from './processes.ts'

export const CONNECTIONS = 32

/** One window of one server. Processor times in milliseconds a request, memory in MiB. */
export type Window = LoadResult & { serverCpu: number; databaseCpu: number; memory: number; peak: number }
export type Contestants = { floor: Running; product: Product; unaudited: Product }
export type Contestant = keyof Contestants
/** `rounds`: the windows of each server, in the order in which they were taken. */
export type ReadResult = { name: string; rounds: Record<Contestant, Window[]> }

/**
 * Every question, put to each server in turn, `rounds` times, for so many seconds; but first once with each of its
 * variables, to see that all servers answer the same.
 */
export async function measureReads(
  database: BenchDatabase,
  contestants: Contestants,
  { rounds, seconds, only }: { rounds: number; seconds: number; only: string },
): Promise<ReadResult[]> {
  const results: ReadResult[] = []
  for (const each of (await drawCases(database.db)).filter(({ name }) => name.includes(only))) {
    await compareResponses(contestants, each)
    const result: ReadResult = { name: each.name, rounds: { floor: [], product: [], unaudited: [] } }
    for (let round = 0; round < rounds; round += 1) {
      for (const who of ['floor', 'product', 'unaudited'] as const) {
        // Whoever has not answered this question before compiles it first.
        if (round === 0) await runLoad(await taskOf(contestants, who, each, 1))
        await waitUntilChained(database.db)
        result.rounds[who].push(await measure(database, contestants, who, each, seconds))
      }
    }
    process.stderr.write(`${each.name}: ${summary(result)}\n`)
    results.push(result)
  }
  return results
}

const summary = ({ rounds }: ReadResult): string =>
  Object.entries(rounds)
    .map(([who, windows]) => `${who} ${windows.map(({ perSecond }) => Math.round(perSecond)).join(' ')}`)
    .join(', ')

async function measure(
  { db, postmaster }: BenchDatabase,
  contestants: Contestants,
  who: Contestant,
  each: ReadCase,
  seconds: number,
): Promise<Window> {
  const { pid } = contestants[who]
  const task = await taskOf(contestants, who, each, seconds)
  forgetPeak(pid)
  const before = { server: processorTime(pid), database: databaseTime(postmaster) }
  const load = await runLoad(task)
  const { now: memory, peak } = memoryOf(pid)
  // What the journal still has to do for these requests counts among their cost.
  await waitUntilChained(db)
  if (load.failed > 0)
    throw new Error(`${who}: ${load.failed} of ${load.count} answers of ${each.name} failed`)
  return {
    ...load,
    serverCpu: (processorTime(pid) - before.server) / load.count,
    databaseCpu: (databaseTime(postmaster) - before.database) / load.count,
    memory,
    peak,
  }
}

const runLoad = (task: LoadTask) => runWorker<LoadTask, LoadResult>('load.ts', task)

const taskOf = async (
  contestants: Contestants,
  who: Contestant,
  each: ReadCase,
  seconds: number,
): Promise<LoadTask> => ({
  url: contestants[who].url,
  requests: await requestsOf(contestants, who, each),
  connections: CONNECTIONS,
  seconds,
})

/** Seconds later the product links the entries of its journal into their chain: it is not to do so while another is measured. */
async function waitUntilChained(db: Db): Promise<void> {
  const isAny = () => db.selectFrom('audit_unsealed').select('event_id').limit(1).executeTakeFirst()
  while (await isAny()) await pause(100)
}

/** The requests of a case as the product's own pages send them: the hash of the document, and what the client accepts. */
export async function requestsOf(
  contestants: Contestants,
  who: Contestant,
  { operation, who: role, variables }: ReadCase,
): Promise<LoadRequest[]> {
  if (who === 'floor') {
    const { id: readerId, institutionIds } = contestants.product.people[role]
    return variables.map((each) => ({
      path: `/${operation}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ variables: each, readerId, institutionIds }),
    }))
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9',
    authorization: await bearerOf(contestants[who].people[role]),
  }
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(operation) } }
  return variables.map((each) => ({
    path: '/graphql',
    headers,
    body: JSON.stringify({ operationName: operation, variables: each, extensions }),
  }))
}

/** Of the product's own document of that name, as its build has written it down. */
function hashOf(operation: string): string {
  for (const [hash, text] of readOperations())
    if (getOperationAST(parse(text))?.name?.value === operation) return hash
  throw new Error(`the build has no operation ${operation}: node scripts/build-web.ts`)
}

/** Rejects where two servers do not answer one question alike, field by field. */
async function compareResponses(contestants: Contestants, each: ReadCase): Promise<void> {
  const asked = {
    floor: await requestsOf(contestants, 'floor', each),
    product: await requestsOf(contestants, 'product', each),
    unaudited: await requestsOf(contestants, 'unaudited', each),
  }
  for (const place of each.variables.keys()) {
    const [floor, product, unaudited] = await Promise.all(
      (['floor', 'product', 'unaudited'] as const).map((who) =>
        send(contestants[who].url, asked[who][place]!),
      ),
    )
    assert.deepEqual(product, floor, `${each.name}: the product and the floor differ`)
    assert.deepEqual(unaudited, product, `${each.name}: the product differs without its journal`)
  }
}

async function send(url: string, { path, headers, body }: LoadRequest): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status} ${text}`)
  const services = text.startsWith('\r\n---') ? text.split(/\r\n---(?:--\r\n)?/).filter(Boolean) : [text]
  const [first, ...later] = services.map((part) => JSON.parse(part.slice(part.indexOf('{'))))
  for (const { incremental = [] } of later)
    for (const { path, data } of incremental) merge(first.data, path, data)
  if (first.errors || later.some((part) => JSON.stringify(part).includes('"errors"'))) throw new Error(text)
  return first.data
}

/** Puts what came later where it belongs. */
function merge(data: Record<string, unknown>, path: readonly string[], more: object): void {
  const place = path.reduce((at, key) => at[key] as Record<string, unknown>, data)
  Object.assign(place, more)
}
