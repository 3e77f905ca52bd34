import { sql } from 'kysely'
import type { Db } from '../../server/platform/database/database.ts'

/** Returns the number of statements on this database that wait for a lock of another transaction. */
export async function countLockWaits(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]!.count
}

/** Returns the number of advisory locks that are held on this database. */
export async function countHeldLocks(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and granted and datname = current_database()`.execute(db)
  return rows[0]!.count
}
