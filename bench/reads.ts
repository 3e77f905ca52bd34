import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { getOperationAST, parse } from 'graphql'
import { openBuiltFrontEnd } from '../server/http/pages/front-end.ts'
import type { Db } from '../server/platform/database/database.ts'
import { drawCases, type ReadCase } from './cases.ts'
import { bearerOf, type Product } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import type { LoadRequest, LoadResult, LoadTask } from './load.ts'
import { databaseTime, memoryOf, processorTime, resetPeak } from './machine.ts'
import { type Running, runWorker } from './processes.ts'

export const CONNECTIONS = 32

/** One window of one server. Processor times in milliseconds a request, memory in MiB. */
export type Window = LoadResult & { serverCpu: number; databaseCpu: number; memory: number; peak: number }
export type Contestants = { floor: Running; product: Product; unaudited: Product }
export type Contestant = keyof Contestants
/** `rounds` are the windows of each server, in the order of measurement. */
export type ReadResult = { name: string; rounds: Record<Contestant, Window[]> }

/**
 * Measures every query on each server in rotation, `rounds` times, for this number of seconds. Before that each query is
 * sent once with each of its variables, to check that all servers return the same.
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
        // A server that has not run this query before compiles it first.
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
  resetPeak(pid)
  const before = { server: processorTime(pid), database: databaseTime(postmaster) }
  const load = await runLoad(task)
  const { now: memory, peak } = memoryOf(pid)
  // The later work of the audit log for these requests is a part of their cost.
  await waitUntilChained(db)
  if (load.failed > 0)
    throw new Error(`${who}: ${load.failed} of ${load.count} responses of ${each.name} failed`)
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

/**
 * Waits until the product has appended its audit entries to the chain, which must not happen while another
 * server is measured.
 */
async function waitUntilChained(db: Db): Promise<void> {
  const isAny = () => db.selectFrom('audit_unsealed').select('event_id').limit(1).executeTakeFirst()
  while (await isAny()) await pause(100)
}

/** Returns the requests of a case as the product's pages send them: the hash of the document and the Accept header. */
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
    authorization: await bearerOf(contestants[who].people[role], 'graphql'),
  }
  const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(operation) } }
  return variables.map((each) => ({
    path: '/graphql',
    headers,
    body: JSON.stringify({ operationName: operation, variables: each, extensions }),
  }))
}

/** Returns the hash of the product's document of that name, from its build. */
function hashOf(operation: string): string {
  for (const [hash, text] of openBuiltFrontEnd().operations)
    if (getOperationAST(parse(text))?.name?.value === operation) return hash
  throw new Error(`the build has no operation ${operation}: node scripts/build-web.ts`)
}

/** Rejects where two servers return different data for one query, field by field. */
async function compareResponses(contestants: Contestants, each: ReadCase): Promise<void> {
  const requests = {
    floor: await requestsOf(contestants, 'floor', each),
    product: await requestsOf(contestants, 'product', each),
    unaudited: await requestsOf(contestants, 'unaudited', each),
  }
  for (const place of each.variables.keys()) {
    const [floor, product, unaudited] = await Promise.all(
      (['floor', 'product', 'unaudited'] as const).map((who) =>
        send(contestants[who].url, requests[who][place]!),
      ),
    )
    assert.deepEqual(product, floor, `${each.name}: the product and the floor differ`)
    assert.deepEqual(unaudited, product, `${each.name}: the product differs without its audit log`)
  }
}

async function send(url: string, { path, headers, body }: LoadRequest): Promise<unknown> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} responded ${response.status} ${text}`)
  const parts = text.startsWith('\r\n---') ? text.split(/\r\n---(?:--\r\n)?/).filter(Boolean) : [text]
  const [first, ...later] = parts.map((part) => JSON.parse(part.slice(part.indexOf('{'))))
  for (const { incremental = [] } of later)
    for (const { path, data } of incremental) merge(first.data, path, data)
  if (first.errors || later.some((part) => JSON.stringify(part).includes('"errors"'))) throw new Error(text)
  return first.data
}

/** Merges incremental results into the first result. */
function merge(data: Record<string, unknown>, path: readonly string[], more: object): void {
  const place = path.reduce((at, key) => at[key] as Record<string, unknown>, data)
  Object.assign(place, more)
}
