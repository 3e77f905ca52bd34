import { sql } from 'kysely'
import type { Db } from '../server/platform/database/database.ts'
import type { Storage } from '../server/platform/storage/storage.ts'
import { seedOrganisation } from './demo/organisation.ts'
import { createRandom } from './demo/random.ts'
import { after, DAY } from './demo/time.ts'
import { createDraws, OLDEST_DAYS } from './generate/draws.ts'
import { generateInstitutions } from './generate/institutions.ts'
import { drawPeople, insertPatients, insertReferrals } from './generate/patients.ts'
import { withSchemaAside } from './generate/schema-aside.ts'
import {
  insertFiles,
  insertOpenings,
  insertRealFiles,
  insertReviews,
  insertTransfers,
  insertUploads,
} from './generate/uploads.ts'

/** What is filled in bulk; the rest is the organisation. */
const FILLED = [
  'patient',
  'patient_name_pair',
  'referral',
  'upload',
  'file',
  'review',
  'upload_opening',
  'transfer',
] as const

const PATIENTS_OF_AN_INSTITUTION = 2_000
const MIN_INSTITUTIONS = 3
const MAX_INSTITUTIONS = 500

/** What the filling took, step by step in seconds; how many rows each table has; and the size of the database. */
export type Account = {
  phases: { name: string; seconds: number }[]
  rows: Record<string, number>
  bytes: number
}

/** The database has rows of its own. */
export class NotEmptyError extends Error {
  override name = 'NotEmptyError'
}

/**
 * Fills a migrated, empty database with the demo's organisation and as many invented patients and uploads as asked for: rows
 * as the product itself would have written them, but for the journal, which stays empty. All of it or nothing. The same
 * `now` and the same sizes give the same rows, but for storage keys and the salt of the password hash. Only a few files
 * have bytes in the store; opening another one fails as a lost file does. Throws NotEmptyError.
 */
export async function generateRows(options: {
  db: Db
  storage: Storage
  now: Date
  patients: number
  uploads: number
}): Promise<Account> {
  const { db, storage, now, patients, uploads } = options
  const phases: Account['phases'] = []
  const counts: Account['rows'] = {}
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
        await withSchemaAside(tx, FILLED, async () => {
          await timed('patient', () => insertPatients(tx))
          await timed('referral', () => insertReferrals(tx, staff.registrarId))
          await timed('upload', () => insertUploads(tx, { count: uploads, people: patients, staff, now }))
          await timed('file', () => insertFiles(tx))
          await timed('review', () => insertReviews(tx, staff))
          await timed('opening', () => insertOpenings(tx, now))
          await timed('transfer', () => insertTransfers(tx))
          loaded = performance.now()
        })
        phases.push({ name: 'indexes and keys', seconds: (performance.now() - loaded) / 1000 })
        await timed('stored files', () => insertRealFiles(tx, storage))
        Object.assign(counts, await countRows(tx))
      })
      // Also what lets an index answer alone, as it does once autovacuum has been there.
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

/** Rejects where the database holds anybody already; one that is no database of the product yet holds nobody. */
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

/** Settings of this transaction, and whether there is nothing yet. */
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

/** The demo's organisation, with as many more institutions as so many patients come from, in the table `referring`. */
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

async function countRows(tx: Db): Promise<Account['rows']> {
  const counts: Account['rows'] = {}
  for (const table of FILLED) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      tx,
    )
    counts[table] = rows[0]!.count
  }
  return counts
}
