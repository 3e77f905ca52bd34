import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { Db } from '../server/platform/database/database.ts'

export type UserLock = {
  db: Db
  /** Resolves once so many statements, at the least, wait for the account. */
  waiters(count: number): Promise<void>
  /** Commits: who has waited goes on, in the order in which they came. */
  release(): Promise<void>
}

/**
 * Holds the row of an account as a change of it does, so that a test can bring several others to the very moment at which
 * they are about to touch it. `db`: the transaction that holds it.
 */
export async function lockUser(db: Db, id: string): Promise<UserLock> {
  const held = await db.startTransaction().execute()
  let isOpen = true
  onTestFinished(async () => {
    if (isOpen) await held.rollback().execute()
  })
  await held.selectFrom('app_user').select('id').where('id', '=', id).forUpdate().execute()
  const countWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.waiting
  }
  return {
    db: held,
    waiters: (count) => expect.poll(countWaiting).toBeGreaterThanOrEqual(count),
    release: async () => {
      isOpen = false
      await held.commit().execute()
    },
  }
}
