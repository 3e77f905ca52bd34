import { type Insertable, sql } from 'kysely'
import type { DB } from '../../../db/types.generated.ts'
import type { Db } from '../../platform/database.ts'
import type { AuditRecord } from './seal-hash.ts'

/** Until the end of the transaction nobody else seals, on whichever server; false: somebody does already. */
export async function tryLockChain(db: Db): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('dosar audit chain', 0)) done`.execute(db)
  return rows[0]!.done
}

export const isAnyUnsealed = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('audit_unsealed').select('event_id').limit(1).executeTakeFirst()) !== undefined

/**
 * The next entries to seal, taken off the list of those that wait. One that is no longer there, or that is sealed already,
 * stays on it: the verification tells of it.
 */
export async function takeUnsealed(db: Db, limit: number): Promise<AuditRecord[]> {
  const { rows } = await sql<AuditRecord>`
    with taken as (
      delete from audit_unsealed where event_id in (
        select waiting.event_id from audit_unsealed waiting join audit_event on audit_event.id = waiting.event_id
        where not exists (select from audit_seal where audit_seal.event_id = waiting.event_id)
        order by waiting.event_id limit ${limit})
      returning event_id)
    select audit_event.* from taken join audit_event on audit_event.id = taken.event_id order by audit_event.id
  `.execute(db)
  return rows
}

/** The last seal; undefined before the first. */
export const selectHead = (db: Db) =>
  db
    .selectFrom('audit_seal')
    .select(['position', 'hash', 'event_id'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

export const insertSeals = (db: Db, seals: readonly Insertable<DB['audit_seal']>[]) =>
  db.insertInto('audit_seal').values(seals).execute()

/** Seals after `position` in their order, each with its entry where that is still there. */
export const selectLinks = (db: Db, position: number, limit: number) =>
  db
    .selectFrom('audit_seal')
    .leftJoin('audit_event', 'audit_event.id', 'audit_seal.event_id')
    .selectAll('audit_event')
    .select(['audit_seal.position', 'audit_seal.event_id', 'audit_seal.hash'])
    .where('audit_seal.position', '>', position)
    .orderBy('audit_seal.position')
    .limit(limit)
    .execute()

/** The highest entry there is. */
export async function selectLastEntryId(db: Db): Promise<number> {
  const last = await db
    .selectFrom('audit_event')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return last?.id ?? 0
}

/** Of the entries with these ids (both included) those that are neither sealed nor waiting to be. */
export async function selectStrangers(db: Db, from: number, to: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from audit_event where id between ${from} and ${to}
      and not exists (select from audit_seal where event_id = audit_event.id)
      and not exists (select from audit_unsealed where event_id = audit_event.id)
    order by id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Entries that were to be sealed and are gone. */
export async function selectVanished(db: Db, limit: number): Promise<number[]> {
  const { rows } = await sql<{ event_id: number }>`
    select event_id from audit_unsealed where not exists (select from audit_event where id = event_id)
    order by event_id limit ${limit}`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

/** Of the entries that have waited since before `since` the first one, and how many there are. */
export async function selectLate(db: Db, since: Date): Promise<{ first: number | null; count: number }> {
  const { rows } = await sql<{ first: number | null; count: number }>`
    select min(id) as first, count(*) as count from audit_unsealed join audit_event on id = event_id
    where at < ${since}`.execute(db)
  return rows[0]!
}

export const insertVerification = (
  db: Db,
  verification: Omit<Insertable<DB['audit_verification']>, 'faults'> & { faults: string },
) => db.insertInto('audit_verification').values(verification).execute()

export const selectLastVerification = (db: Db) =>
  db
    .selectFrom('audit_verification')
    .leftJoin('app_user', 'app_user.id', 'audit_verification.asked_by')
    .selectAll('audit_verification')
    .select('app_user.name as asked_by_name')
    .orderBy('audit_verification.started_at', 'desc')
    .orderBy('audit_verification.id', 'desc')
    .limit(1)
    .executeTakeFirst()
