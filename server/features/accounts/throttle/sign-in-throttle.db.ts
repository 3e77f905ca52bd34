import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/**
 * Interval before the next attempt on an account with `failures` failures: from `freeFailures` on 1, 2, 4, …
 * seconds, at most `maxWaitSeconds`.
 */
const wait = (failures: string, freeFailures: number, maxWaitSeconds: number) =>
  sql`least(${maxWaitSeconds}::int, power(2, least(${sql.ref(failures)} - ${freeFailures}, 30))) * interval '1 second'`

/**
 * Counts an attempt on an account as failed before it is verified, so that concurrent attempts cannot exceed
 * the limit. Returns the number of failures, or null if the account must wait or has had `maxFailures`
 * failures.
 */
export async function countAccountAttempt(
  db: Db,
  keyHash: Buffer,
  now: Date,
  {
    freeFailures,
    maxFailures,
    maxWaitSeconds,
  }: { freeFailures: number; maxFailures: number; maxWaitSeconds: number },
): Promise<number | null> {
  const row = await db
    .insertInto('sign_in_throttle')
    .values({ key_hash: keyHash, kind: 'account', failures: 1, last_failed_at: now })
    .onConflict((on) =>
      on
        .column('key_hash')
        .doUpdateSet((eb) => ({
          failures: eb('sign_in_throttle.failures', '+', 1),
          last_failed_at: eb.ref('excluded.last_failed_at'),
        }))
        .where('sign_in_throttle.failures', '<', maxFailures)
        .where((eb) =>
          eb.or([
            eb('sign_in_throttle.failures', '<', freeFailures),
            sql<boolean>`sign_in_throttle.last_failed_at + ${wait('sign_in_throttle.failures', freeFailures, maxWaitSeconds)} <= excluded.last_failed_at`,
          ]),
        ),
    )
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? null
}

/**
 * Counts an attempt from a network in a token bucket of `burst` attempts that refills by one every
 * `refillSeconds`; returns false if the bucket was empty. `last_failed_at` is the time up to which the bucket
 * has been refilled: it moves by whole refills only, so that no seconds are lost.
 */
export async function countNetworkAttempt(
  db: Db,
  keyHash: Buffer,
  now: Date,
  { burst, refillSeconds }: { burst: number; refillSeconds: number },
): Promise<boolean> {
  const refills = sql<number>`greatest(0,
    floor(extract(epoch from excluded.last_failed_at - sign_in_throttle.last_failed_at) / ${refillSeconds}::int))::int`
  const left = sql<number>`greatest(0, sign_in_throttle.failures - ${refills})`
  const row = await db
    .insertInto('sign_in_throttle')
    .values({ key_hash: keyHash, kind: 'network', failures: 1, last_failed_at: now })
    .onConflict((on) =>
      on
        .column('key_hash')
        .doUpdateSet({
          failures: sql<number>`${left} + 1`,
          last_failed_at: sql<Date>`case when ${left} = 0 then excluded.last_failed_at
            else sign_in_throttle.last_failed_at + ${refills} * ${refillSeconds}::int * interval '1 second' end`,
        })
        .where(sql<boolean>`${left} < ${burst}`),
    )
    .returning('failures')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteThrottle = (db: Db, keyHash: Buffer) =>
  db.deleteFrom('sign_in_throttle').where('key_hash', '=', keyHash).execute()

/** Resets the failures of an account only if it has had `maxFailures` of them. */
export const deleteFullThrottle = (db: Db, keyHash: Buffer, maxFailures: number) =>
  db
    .deleteFrom('sign_in_throttle')
    .where('key_hash', '=', keyHash)
    .where('failures', '>=', maxFailures)
    .execute()

/** Returns whether there have been `maxFailures` failures. */
export const isThrottleFull = async (db: Db, keyHash: Buffer, maxFailures: number): Promise<boolean> => {
  const row = await db
    .selectFrom('sign_in_throttle')
    .where('key_hash', '=', keyHash)
    .where('failures', '>=', maxFailures)
    .select('failures')
    .executeTakeFirst()
  return row !== undefined
}

/** Removes one counted attempt, which did not fail. */
export const removeCountedAttempt = (db: Db, keyHash: Buffer) =>
  db
    .updateTable('sign_in_throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key_hash', '=', keyHash)
    .where('failures', '>', 0)
    .execute()

/**
 * Deletes the counts whose last failure was before `before`, except those of accounts with `maxFailures`
 * failures, which stay blocked.
 */
export const deleteOldThrottles = (db: Db, before: Date, maxFailures: number) =>
  db
    .deleteFrom('sign_in_throttle')
    .where('last_failed_at', '<', before)
    .where((eb) => eb.or([eb('kind', '=', 'network'), eb('failures', '<', maxFailures)]))
    .executeTakeFirst()
