import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { Db } from '../../server/platform/database/database.ts'

export type UserLock = {
  db: Db
  /** Resolves once at least `count` statements wait for the account. */
  waiters(count: number): Promise<void>
  /** Commits: waiting statements continue, in the order in which they came. */
  release(): Promise<void>
}

/**
 * Locks the row of an account as a change of the account does, so that a test can make several requests wait
 * for it. `db` is
 * the transaction that holds the lock.
 */
export async function lockUser(db: Db, id: string): Promise<UserLock> {
  const transaction = await db.startTransaction().execute()
  let isOpen = true
  onTestFinished(async () => {
    if (isOpen) await transaction.rollback().execute()
  })
  await transaction.selectFrom('app_user').select('id').where('id', '=', id).forUpdate().execute()
  const countWaiting = async () => {
    const { rows } = await sql<{ waiting: number }>`select count(*) as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.waiting
  }
  return {
    db: transaction,
    waiters: (count) => expect.poll(countWaiting).toBeGreaterThanOrEqual(count),
    release: async () => {
      isOpen = false
      await transaction.commit().execute()
    },
  }
}
