import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

export type DatabaseInfo = {
  version: string
  bytes: number
  migration: string
  /**
   * Whether PostgreSQL archives its write-ahead log, so that any point in time can be restored; null times:
   * never.
   */
  archiving: boolean
  lastArchivedAt: Date | null
  lastArchiveFailedAt: Date | null
}

export async function selectDatabaseInfo(db: Db): Promise<DatabaseInfo> {
  const { rows } = await sql<DatabaseInfo>`
    select current_setting('server_version') version, pg_database_size(current_database())::float8 bytes,
      (select max(name) from schema_migration) migration, current_setting('archive_mode') <> 'off' archiving,
      last_archived_time "lastArchivedAt", last_failed_time "lastArchiveFailedAt" from pg_stat_archiver`.execute(
    db,
  )
  return rows[0]!
}

/** Selects the number of stored files and their size in bytes. */
export const selectStoredFiles = (db: Db) =>
  db
    .selectFrom('file')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'),
    ])
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()

/** Returns those of the keys of the storage that a file or an import has, without files whose bytes were deleted. */
export async function selectUsedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ storage_key: string }>`
    select storage_key from file where storage_key = any(${keys}::text[]) and purged_at is null
    union all select storage_key from patient_import where storage_key = any(${keys}::text[])`.execute(db)
  return new Set(rows.map(({ storage_key }) => storage_key))
}

export type JobCount = { name: string; waiting: number; active: number; failed: number }

/** Counts unfinished jobs by name; names without any are left out. */
export async function selectJobCounts(db: Db): Promise<JobCount[]> {
  const { rows } = await sql<JobCount>`
    select name, count(*) filter (where state in ('created', 'retry')) waiting,
      count(*) filter (where state = 'active') active, count(*) filter (where state = 'failed') failed
    from pgboss.job where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_pgboss\\_\\_%'
    group by name order by name`.execute(db)
  return rows
}

export type FailedJobRow = {
  id: string
  name: string
  tries: number
  createdAt: Date
  failedAt: Date | null
  /** The error's class or code; its message is left out because it may quote data. */
  error: string | null
}

/** Selects at most `limit` failed jobs, the latest first. */
export async function selectFailedJobs(db: Db, limit: number): Promise<FailedJobRow[]> {
  const { rows } = await sql<FailedJobRow>`
    select id, name, retry_count + 1 tries, created_on "createdAt", completed_on "failedAt",
      coalesce(output ->> 'code', output ->> 'name') error
    from pgboss.job where state = 'failed' order by completed_on desc, id limit ${limit}`.execute(db)
  return rows
}

/** Notes the problems and returns those that were not noted yet; forgets all others, which are solved. */
export async function noteProblems(db: Db, keys: readonly string[], now: Date): Promise<string[]> {
  await sql`delete from reported_problem where key <> all(${keys}::text[])`.execute(db)
  const { rows } = await sql<{ key: string }>`
    insert into reported_problem (key, reported_at) select key, ${now} from unnest(${keys}::text[]) key
    on conflict do nothing returning key`.execute(db)
  return rows.map(({ key }) => key)
}
