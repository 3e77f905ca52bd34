import { createHash, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { BenchDatabase } from '../database.ts'
import { figure } from '../report.ts'
import type { Table } from '../table.ts'
import {
  describeCounts,
  type Organisation,
  readImport,
  send,
  startCheck,
  startImport,
  waitForState,
  withOrganisation,
} from './measure-imports.ts'

const ROWS = 20_000
/** In the check, and in the import. */
const KILLS = 5
const POLL_PAUSE_MS = 10

type Run = {
  counts: string
  rows: string
  patients: number
  twice: number
  recorded: number
  seconds: number
}

/**
 * Imports the same table into two new databases in `folder`, into one of them by servers that are killed (SIGKILL) at random
 * rows of the check and of the import, and compares what came of every row.
 */
export async function measureKills(folder: string): Promise<Table> {
  const calm = await withOrganisation(join(folder, 'calm'), (calm) => runImport(calm, 0))
  const killed = await withOrganisation(join(folder, 'killed'), (killed) => runImport(killed, KILLS))
  const isSame = calm.counts === killed.counts && calm.rows === killed.rows
  return {
    title: `The import of ${ROWS} patients by servers that are killed ${2 * KILLS} times`,
    columns: ['run', 'seconds', 'created patients', 'CNPs twice', 'audit entries of creations', 'totals'],
    rows: [['undisturbed', calm] as const, ['killed', killed] as const].map(([name, run]) => [
      name,
      figure(run.seconds),
      String(run.patients),
      String(run.twice),
      String(run.recorded),
      run.counts,
    ]),
    notes: [`What came of each row is ${isSame ? 'the same in both' : '**different**'}.`],
  }
}

async function runImport(organisation: Organisation, kills: number): Promise<Run> {
  // Of the running server.
  const client = () => organisation.product.people.reviewer.client
  const id = await send(client(), ROWS)
  await waitForState(client(), id, 'read')
  const start = performance.now()
  await startCheck(client(), id)
  await killAtRows(organisation, id, 'checked_line', kills)
  await waitForState(client(), id, 'checked')
  await startImport(client(), id)
  await killAtRows(organisation, id, 'imported_line', kills)
  await waitForState(client(), id, 'done')
  const seconds = (performance.now() - start) / 1_000
  const { imported } = await readImport(client(), id)
  return { counts: describeCounts(imported), seconds, ...(await readOutcome(organisation.database, id)) }
}

/** Kills the server at random rows, and starts it again each time. */
async function killAtRows(
  { database: { db }, restart }: Organisation,
  id: string,
  position: 'checked_line' | 'imported_line',
  kills: number,
): Promise<void> {
  const readPosition = async () =>
    (await db.selectFrom('patient_import').select(position).where('id', '=', id).executeTakeFirstOrThrow())[
      position
    ]
  const lines = Array.from({ length: kills }, () => randomInt(1, ROWS)).toSorted((a, b) => a - b)
  for (const line of lines) {
    while ((await readPosition()) < line) await pause(POLL_PAUSE_MS)
    // Also within a transaction.
    await pause(randomInt(50))
    await restart()
    process.stderr.write(`killed at ${position} ${line}\n`)
  }
}

async function readOutcome({ db }: BenchDatabase, id: string) {
  const { rows } = await sql<{ line: number; outcome: string; result: string }>`
    select line, outcome, result from patient_import_row where import_id = ${id} order by line`.execute(db)
  const { rows: counts } = await sql<{ patients: number; twice: number; recorded: number }>`
    with made as (select cnp from patient where id in (
      select patient_id from patient_import_row where import_id = ${id} and result = 'created'))
    select (select count(*) from made) as patients, (select count(*) - count(distinct cnp) from patient) -
      (select count(*) from patient where cnp is null) as twice,
      (select count(*) from audit_event where action = 'patient.create') as recorded`.execute(db)
  return { rows: createHash('sha256').update(JSON.stringify(rows)).digest('hex'), ...counts[0]! }
}
