import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { getOperationAST, parse } from 'graphql'
import { openBuiltFrontEnd } from '../server/http/pages/front-end.ts'
import type { Db } from '../server/platform/database/database.ts'
import { drawCases, type ReadCase } from './cases.ts'
import { bearerOf, type Product } from './contestants.ts'
import type { BenchDatabase } from './database.ts'
import type { LoadRequest, LoadResult, LoadTask } from './load.ts'
import { familyTime, memoryOf, processorTime, resetPeak } from './machine.ts'
import { FIRST_PAGE, type PostgraphileQuestion, questionOf } from './postgraphile/questions.ts'
import { type Running, runWorker } from './processes.ts'

export const CONNECTIONS = 32

/** One window of one server. Processor times in milliseconds a request, memory in MiB. */
export type Window = LoadResult & { serverCpu: number; databaseCpu: number; memory: number; peak: number }
export type Contestants = { floor: Running; postgraphile: Running; product: Product; unaudited: Product }
export type Contestant = keyof Contestants
const CONTESTANTS = ['floor', 'postgraphile', 'product', 'unaudited'] as const
/** `rounds` are the windows of each server, in the order of measurement; none of PostGraphile where it cannot be asked. */
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
  const cursor = await firstCursor(contestants.postgraphile)
  for (const each of (await drawCases(database.db)).filter(({ name }) => name.includes(only))) {
    await compareResponses(contestants, each)
    const question = questionOf(each, cursor)
    if (question) await compareIds(contestants, each, question)
    const requests = {
      floor: await requestsOf(contestants, 'floor', each),
      postgraphile: question ? bodiesOf(question) : [],
      product: await requestsOf(contestants, 'product', each),
      unaudited: await requestsOf(contestants, 'unaudited', each),
    }
    const result: ReadResult = {
      name: each.name,
      rounds: { floor: [], postgraphile: [], product: [], unaudited: [] },
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const who of CONTESTANTS.filter((each) => requests[each].length > 0)) {
        const task: LoadTask = {
          url: contestants[who].url,
          requests: requests[who],
          connections: CONNECTIONS,
          seconds,
        }
        // A server that has not run this query before compiles it first.
        if (round === 0) await runLoad({ ...task, seconds: 1 })
        await waitUntilChained(database.db)
        result.rounds[who].push(await measure(database, contestants[who].pid, task, `${who}: ${each.name}`))
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

/** Measures one window of a server; rejects if a response failed. */
export async function measure(
  { db, postmaster }: BenchDatabase,
  pid: number,
  task: LoadTask,
  name: string,
): Promise<Window> {
  resetPeak(pid)
  const before = { server: processorTime(pid), database: familyTime(postmaster) }
  const load = await runLoad(task)
  const { now: memory, peak } = memoryOf(pid)
  // The later work of the audit log for these requests is a part of their cost.
  await waitUntilChained(db)
  if (load.failed > 0) throw new Error(`${name}: ${load.failed} of ${load.count} responses failed`)
  return {
    ...load,
    serverCpu: (processorTime(pid) - before.server) / load.count,
    databaseCpu: (familyTime(postmaster) - before.database) / load.count,
    memory,
    peak,
  }
}

export const runLoad = (task: LoadTask) => runWorker<LoadTask, LoadResult>('load.ts', task)

/**
 * Waits until the product has appended its audit entries to the chain, which must not happen while another
 * server is measured.
 */
export async function waitUntilChained(db: Db): Promise<void> {
  const isAny = () => db.selectFrom('audit_unsealed').select('event_id').limit(1).executeTakeFirst()
  while (await isAny()) await pause(100)
}

async function requestsOf(
  contestants: Omit<Contestants, 'postgraphile'>,
  who: Exclude<Contestant, 'postgraphile'>,
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
  return productRequests(contestants[who], { operation, who: role, variables })
}

/** Returns the requests of a case as the product's pages send them: the hash of the document and the Accept header. */
export async function productRequests(
  { people }: Product,
  { operation, who, variables }: Omit<ReadCase, 'name'>,
): Promise<LoadRequest[]> {
  const headers = {
    'content-type': 'application/json',
    accept: 'multipart/mixed;deferSpec=20220824,application/graphql-response+json,application/json;q=0.9',
    authorization: await bearerOf(people[who], 'graphql'),
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

const bodiesOf = ({ query, variables }: PostgraphileQuestion): LoadRequest[] =>
  variables.map((each) => ({
    path: '/graphql',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables: each }),
  }))

/** Returns PostGraphile's cursor after the newest patients. */
async function firstCursor({ url }: Running): Promise<string> {
  const [request] = bodiesOf({ ...FIRST_PAGE, variables: [FIRST_PAGE.variables] })
  const { allPatients } = (await send(url, request!)) as { allPatients: { pageInfo: { endCursor: string } } }
  return allPatients.pageInfo.endCursor
}

/** Rejects where PostGraphile's response to a case has not all rows that the floor's response has. */
async function compareIds(
  contestants: Contestants,
  each: ReadCase,
  question: PostgraphileQuestion,
): Promise<void> {
  const floor = await requestsOf(contestants, 'floor', each)
  for (const [place, request] of bodiesOf(question).entries()) {
    const found = JSON.stringify(await send(contestants.postgraphile.url, request))
    const { possibleDuplicates: _, ...data } = Object.values(
      (await send(contestants.floor.url, floor[place]!)) as Record<string, Record<string, unknown>>,
    )[0]!
    for (const [, id] of JSON.stringify(data).matchAll(/"id":"([^"]+)"/g))
      assert(found.includes(id!), `${each.name}: PostGraphile lacks ${id}`)
  }
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
