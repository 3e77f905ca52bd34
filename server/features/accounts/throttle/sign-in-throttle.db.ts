import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** Seconds before the next try at an account that has `failures` of them, from `free` on: 1, 2, 4, … up to `longest`. */
const wait = (failures: string, free: number, longest: number) =>
  sql`least(${longest}::int, power(2, least(${sql.ref(failures)} - ${free}, 30))) * interval '1 second'`

/**
 * Counts a try at an account as failed before anybody knows: of several at once only as many as are free come through.
 * Answers how many that makes, or null where the account has to wait, or has had `most` of them.
 */
export async function countAccountAttempt(
  db: Db,
  keyHash: Buffer,
  now: Date,
  { free, most, longest }: { free: number; most: number; longest: number },
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
        .where('sign_in_throttle.failures', '<', most)
        .where((eb) =>
          eb.or([
            eb('sign_in_throttle.failures', '<', free),
            sql<boolean>`sign_in_throttle.last_failed_at + ${wait('sign_in_throttle.failures', free, longest)} <= excluded.last_failed_at`,
          ]),
        ),
    )
    .returning('failures')
    .executeTakeFirst()
  return row?.failures ?? null
}

/**
 * The same for a network: it has a store of `free` failures, which fills up again by one every `refill` seconds. Answers
 * whether there was one left. `last_failed_at` is how far the store has been filled up: whole refills alone move it, so
 * that no try costs the seconds since the last one.
 */
export async function countNetworkAttempt(
  db: Db,
  keyHash: Buffer,
  now: Date,
  { free, refill }: { free: number; refill: number },
): Promise<boolean> {
  const refills = sql<number>`greatest(0,
    floor(extract(epoch from excluded.last_failed_at - sign_in_throttle.last_failed_at) / ${refill}::int))::int`
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
            else sign_in_throttle.last_failed_at + ${refills} * ${refill}::int * interval '1 second' end`,
        })
        .where(sql<boolean>`${left} < ${free}`),
    )
    .returning('failures')
    .executeTakeFirst()
  return row !== undefined
}

export const deleteThrottle = (db: Db, keyHash: Buffer) =>
  db.deleteFrom('sign_in_throttle').where('key_hash', '=', keyHash).execute()

/** Forgets the failures of an account that has had `most` of them, and no other's. */
export const deleteFullThrottle = (db: Db, keyHash: Buffer, most: number) =>
  db.deleteFrom('sign_in_throttle').where('key_hash', '=', keyHash).where('failures', '>=', most).execute()

/** Takes one try back that was no failure. */
export const uncountAttempt = (db: Db, keyHash: Buffer) =>
  db
    .updateTable('sign_in_throttle')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('key_hash', '=', keyHash)
    .where('failures', '>', 0)
    .execute()

/** Rows that slow nobody down any more; an account that has had `most` failures stays, however long ago that was. */
export const deleteOldThrottles = (db: Db, before: Date, most: number) =>
  db
    .deleteFrom('sign_in_throttle')
    .where('last_failed_at', '<', before)
    .where((eb) => eb.or([eb('kind', '=', 'network'), eb('failures', '<', most)]))
    .executeTakeFirst()
