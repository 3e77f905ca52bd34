import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { REVIEWER } from '../e2e/harness/accounts.ts'
import { signInClient } from '../e2e/harness/client.ts'
import type { TestClient } from '../test/client.ts'
import { findFreePort } from '../test/real-http.ts'
import { startServer } from './contestants.ts'
import { readPostmaster, startDatabase } from './database.ts'
import { figure } from './report.ts'
import type { Table } from './table.ts'

/** Patients of the database. */
const PATIENTS = 10_000
const SENDERS = 16
const MAX_RATIO = 1.5
const POLL_PAUSE_MS = 5
/** Processes of PostgreSQL end by themselves when the first of them is killed. */
const END_MS = 2_000

/** Milliseconds from the start of the process to its first good response, and those of PostgreSQL's recovery within. */
type Restart = { changes: number; before: number; recovery: number; after: number; total: number }

/**
 * Kills the server and its own PostgreSQL (SIGKILL) after `seconds` of changes, `rounds` times, and measures how soon
 * `/healthz` responds again. The recovery is what PostgreSQL writes into its log at the same start: of the same kill.
 */
export async function measureRestarts(
  folder: string,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Table> {
  const database = await startDatabase(folder, PATIENTS)
  await database.stop()
  const { dataDir } = database
  const port = await findFreePort()
  const restarts: Restart[] = []
  let server = await startServer({ port, dataDir })
  try {
    for (let round = 0; round < rounds; round += 1) {
      const client = await signInClient(server.url, REVIEWER)
      const changing = makeChanges(client)
      await pause(seconds * 1_000)
      process.kill(server.pid, 'SIGKILL')
      process.kill(readPostmaster(dataDir), 'SIGKILL')
      const changes = await changing
      await pause(END_MS)
      const start = Date.now()
      const starting = startServer({ port, dataDir })
      const [respondedAt] = await Promise.all([waitForResponse(`http://127.0.0.1:${port}/healthz`), starting])
      server = await starting
      const { startedAt, readyAt } = readRecovery(dataDir)
      restarts.push({
        changes,
        before: startedAt - start,
        recovery: readyAt - startedAt,
        after: respondedAt - readyAt,
        total: respondedAt - start,
      })
      process.stderr.write(`${JSON.stringify(restarts.at(-1))}\n`)
    }
  } finally {
    await server.stop()
  }
  return toTable(restarts, seconds)
}

/** Makes uploads, several at a time, until the server is killed; returns how many it confirmed. */
async function makeChanges(client: TestClient): Promise<number> {
  let changes = 0
  const send = async () => {
    for (;;) {
      await client.runQuery('mutation { createUpload(upload: { title: "Măsurătoare" }) { id } }')
      changes += 1
    }
  }
  await Promise.allSettled(Array.from({ length: SENDERS }, send))
  return changes
}

/** Returns when the address first responded with 200. */
async function waitForResponse(url: string): Promise<number> {
  for (;;) {
    const response = await fetch(url).catch(() => null)
    if (response?.status === 200) return Date.now()
    await pause(POLL_PAUSE_MS)
  }
}

/** Returns when PostgreSQL last began to start and when it accepted connections, from its log. */
function readRecovery(dataDir: string): { startedAt: number; readyAt: number } {
  const folder = join(dataDir, 'postgres', 'log')
  const files = readdirSync(folder).map((name) => join(folder, name))
  const newest = files.toSorted((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs).at(-1)!
  const lines = readFileSync(newest, 'utf8').split('\n')
  const timeOf = (text: string) => {
    const [date, time] = lines.findLast((line) => line.includes(text))!.split(' ')
    return Date.parse(`${date}T${time}Z`)
  }
  return {
    startedAt: timeOf('starting PostgreSQL'),
    readyAt: timeOf('database system is ready to accept connections'),
  }
}

const toTable = (restarts: readonly Restart[], seconds: number): Table => ({
  title: `Restart after a kill of the server and of its PostgreSQL, ${seconds} s of changes before, ${PATIENTS} patients`,
  columns: [
    'confirmed changes',
    'start of PostgreSQL, ms',
    "PostgreSQL's recovery, ms",
    'then /healthz, ms',
    'together, ms',
    '× recovery',
  ],
  rows: restarts.map(({ changes, before, recovery, after, total }) => [
    String(changes),
    String(before),
    String(recovery),
    String(after),
    String(total),
    figure(total / recovery),
  ]),
  notes: [`Goal: ≤ ${MAX_RATIO} × PostgreSQL's own recovery.`],
})
