import { sql } from 'kysely'
import type { Db } from '../server/platform/database/database.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { seedOrganisation } from './demo/organisation.ts'
import { createRandom } from './demo/random.ts'
import { after, DAY } from './demo/time.ts'
import { createDraws, OLDEST_DAYS } from './generate/draws.ts'
import { generateInstitutions } from './generate/institutions.ts'
import { drawPeople, insertPatients, insertReferrals } from './generate/patients.ts'
import {
  insertFacts,
  insertFiles,
  insertOpenings,
  insertRealFiles,
  insertReviews,
  insertTransfers,
  insertUploads,
} from './generate/uploads.ts'
import { withoutIndexesAndKeys } from './generate/without-indexes-and-keys.ts'

/** The tables that are filled in bulk; all others belong to the organisation. */
const FILLED = [
  'patient',
  'patient_name_pair',
  'referral',
  'upload',
  'file',
  'file_fact',
  'review',
  'upload_opening',
  'inbox_item',
  'transfer',
] as const

const PATIENTS_OF_AN_INSTITUTION = 2_000
const MIN_INSTITUTIONS = 3
const MAX_INSTITUTIONS = 500

/** The seconds of each step, the row count of each FILLED table, and the size of the database in bytes. */
export type GenerationReport = {
  phases: { name: string; seconds: number }[]
  rows: Record<string, number>
  bytes: number
}

/** Thrown for a database that already has rows. */
export class NotEmptyError extends Error {
  override name = 'NotEmptyError'
}

/**
 * Fills a migrated, empty database in one transaction with the demo's organisation and the requested number of invented
 * patients and uploads, as the product would write them, except for the audit log, which stays empty. The same `now` and
 * sizes give the same rows, except storage keys and the salt of the password hash; only a few files have bytes in storage,
 * any other fails to open as a lost file does. Throws NotEmptyError.
 */
export async function generateRows(options: {
  db: Db
  storage: Storage
  now: Date
  patients: number
  uploads: number
}): Promise<GenerationReport> {
  const { db, storage, now, patients, uploads } = options
  const phases: GenerationReport['phases'] = []
  const counts: GenerationReport['rows'] = {}
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const start = performance.now()
    const result = await work()
    phases.push({ name, seconds: (performance.now() - start) / 1000 })
    return result
  }

  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    try {
      await connection.transaction().execute(async (tx) => {
        await prepare(tx)
        await createDraws(tx, now)
        const { staff, institutions } = await timed('organisation', () =>
          fillOrganisation(tx, { now, patients }),
        )
        await timed('people', () => drawPeople(tx, { count: patients, institutions }))
        let loaded = 0
        await withoutIndexesAndKeys(tx, FILLED, async () => {
          await timed('patient', () => insertPatients(tx))
          await timed('referral', () => insertReferrals(tx, staff.registrarId))
          await timed('upload', () => insertUploads(tx, { count: uploads, people: patients, staff, now }))
          await timed('file', () => insertFiles(tx))
          await timed('fact', () => insertFacts(tx))
          await timed('review', () => insertReviews(tx, staff))
          await timed('opening', () => insertOpenings(tx, now))
          await timed('transfer', () => insertTransfers(tx))
          loaded = performance.now()
        })
        phases.push({ name: 'indexes and keys', seconds: (performance.now() - loaded) / 1000 })
        await timed('stored files', () => insertRealFiles(tx, storage))
        Object.assign(counts, await countRows(tx))
      })
      // Also allows index-only scans, as autovacuum would.
      await timed('vacuum, analyze', () =>
        sql.raw(`vacuum (analyze) ${FILLED.join(', ')}`).execute(connection),
      )
      await sql`analyze`.execute(connection)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  return { phases, rows: counts, bytes: rows[0]!.bytes }
}

/**
 * Rejects with NotEmptyError where the database has patients or accounts; a database without the product's
 * tables counts as empty.
 */
export async function assertEmpty(db: Db): Promise<void> {
  const known = await sql<{ known: boolean }>`select to_regclass('app_user') is not null as known`.execute(db)
  if (!known.rows[0]!.known) return
  const { rows } = await sql<{ filled: boolean }>`
    select exists (select from patient) or exists (select from app_user) as filled`.execute(db)
  if (rows[0]!.filled)
    throw new NotEmptyError(
      'the database has patients or accounts already; rows are generated into an empty one',
    )
}

/** Configures this transaction, and locks the tables once the database is known to be empty. */
async function prepare(tx: Db): Promise<void> {
  await sql`set local timezone = 'UTC'`.execute(tx)
  await sql`set local work_mem = '256MB'`.execute(tx)
  await sql`set local maintenance_work_mem = '512MB'`.execute(tx)
  await sql`set local jit = off`.execute(tx)
  await assertEmpty(tx)
  await sql`set local lock_timeout = '5s'`.execute(tx)
  await sql`lock table app_user, patient in share row exclusive mode`.execute(tx)
  await assertEmpty(tx)
}

/**
 * Inserts the demo's organisation, and more institutions if the number of patients requires them. Creates the
 * temporary table `referring` with all institutions and their doctors.
 */
async function fillOrganisation(tx: Db, { now, patients }: { now: Date; patients: number }) {
  const opened = after(now, -OLDEST_DAYS * DAY)
  const { institutions, userIds } = await seedOrganisation(tx, {
    now,
    opened,
    random: createRandom('generate'),
  })
  const [administratorId = '', reviewerId = '', registrarId = ''] = userIds
  const wanted = Math.min(
    Math.max(Math.round(patients / PATIENTS_OF_AN_INSTITUTION), MIN_INSTITUTIONS),
    MAX_INSTITUTIONS,
  )
  const all = [
    ...institutions,
    ...(await generateInstitutions(tx, {
      count: wanted - institutions.length,
      first: institutions.length + 1,
      opened,
    })),
  ]
  await sql`create temp table referring (place integer, id uuid, doctors text[]) on commit drop`.execute(tx)
  for (const [place, { id, doctors }] of all.entries()) {
    await sql`insert into referring values (${place}, ${id}::uuid, ${[...doctors]}::text[])`.execute(tx)
  }
  await sql`analyze referring`.execute(tx)
  return { institutions: all.length, staff: { administratorId, reviewerId, registrarId } }
}

async function countRows(tx: Db): Promise<GenerationReport['rows']> {
  const counts: GenerationReport['rows'] = {}
  for (const table of FILLED) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      tx,
    )
    counts[table] = rows[0]!.count
  }
  return counts
}
