import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import type { AuditRecord } from './chain-hash.ts'

/**
 * Takes the lock for appending to the chain until the transaction ends; false if another server or
 * transaction has it.
 */
export async function tryLockChain(db: Db): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('dosar audit chain', 0)) done`.execute(db)
  return rows[0]!.done
}

export const hasUnchained = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('audit_unsealed').select('event_id').limit(1).executeTakeFirst()) !== undefined

/**
 * The positions that a chain can have; rows inserted by hand with other positions are not part of it.
 */
const IS_VALID_POSITION = sql<SqlBool>`audit_seal.position between 1 and ${sql.lit(Number.MAX_SAFE_INTEGER)}`

/**
 * The columns of an `AuditRecord`. `subject_ids` is selected as JSON, which is parsed many times faster than
 * an array.
 */
const RECORD = sql<AuditRecord>`audit_event.id::text as id, audit_event.at, audit_event.actor_id, audit_event.actor_name,
  audit_event.role, audit_event.origin, audit_event.action, audit_event.subject_type, audit_event.subject_id,
  to_json(audit_event.subject_ids) as subject_ids, audit_event.patient_id, audit_event.outcome, audit_event.changes::text as changes,
  audit_event.ip, audit_event.user_agent, audit_event.request_id`

/**
 * Removes the next entries from the queue and returns them to be appended. An entry that no longer exists or
 * is already in the chain stays in the queue, and the verification reports it. Needs a transaction.
 */
export async function selectUnchained(db: Db, limit: number): Promise<AuditRecord[]> {
  // With the array and `offset 0` these fix the plan: the queue is empty whenever its statistics are made, and by them
  // PostgreSQL would look for the next entries once for each entry, or read the whole chain.
  await sql`set local enable_seqscan = off`.execute(db)
  const { rows } = await sql<AuditRecord>`
    with taken as (
      delete from audit_unsealed where event_id = any(array(
        select event_id from audit_unsealed waiting
        where exists (select from audit_event where id = waiting.event_id offset 0)
          and not exists (select from audit_seal where event_id = waiting.event_id offset 0)
        order by event_id limit ${limit}))
      returning event_id)
    select ${RECORD} from taken join audit_event on audit_event.id = taken.event_id order by audit_event.id
  `.execute(db)
  return rows
}

/** Selects the last link of the chain; undefined before the first. */
export const selectHead = (db: Db) =>
  db
    .selectFrom('audit_seal')
    .select(['position', 'hash'])
    .where(IS_VALID_POSITION)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()

/** `event_id` is a text because a bigint may exceed the range of a double. */
export const insertChainLinks = (
  db: Db,
  links: readonly { position: number; event_id: string; hash: Buffer }[],
) => {
  const [positions, ids] = [links.map(({ position }) => position), links.map(({ event_id }) => event_id)]
  const hashes = links.map(({ hash }) => hash)
  return sql`insert into audit_seal (position, event_id, hash)
    select * from unnest(${positions}::bigint[], ${ids}::bigint[], ${hashes}::bytea[])`.execute(db)
}

/** Returns the hash of the link at a position; undefined if there is none. */
export const selectChainHash = async (db: Db, position: number): Promise<Buffer | undefined> =>
  (await db.selectFrom('audit_seal').select('hash').where('position', '=', position).executeTakeFirst())?.hash

type Link = { position: number; event_id: string; hash: Buffer } & (AuditRecord | { id: null })

/** Selects the links after `position` in order, each with its entry if that still exists. */
export async function selectLinks(db: Db, position: number, limit: number): Promise<Link[]> {
  const { rows } = await sql<Link>`
    select audit_seal.position, audit_seal.event_id::text as event_id, audit_seal.hash, ${RECORD}
    from audit_seal left join audit_event on audit_event.id = audit_seal.event_id
    where audit_seal.position > ${position} and ${IS_VALID_POSITION}
    order by audit_seal.position limit ${limit}`.execute(db)
  return rows
}

/**
 * Selects, among the `limit` entries after the id `after` (null: from the lowest), those that are neither in
 * the chain nor queued for it. `last` is the highest id examined, null at the end. Ids are texts because a
 * manipulated entry may have any bigint.
 */
export async function selectUnchainedOld(
  db: Db,
  after: string | null,
  limit: number,
): Promise<{ last: string | null; unchained: string[] }> {
  const { rows } = await sql<{ last: string | null; unchained: string[] }>`
    with page as (
      select id from audit_event ${after === null ? sql`` : sql`where id > ${after}::bigint`} order by id limit ${limit})
    select max(id)::text as last, coalesce(array_agg(id::text order by id) filter (where
      not exists (select from audit_seal where event_id = page.id and ${IS_VALID_POSITION})
      and not exists (select from audit_unsealed where event_id = page.id)), '{}') as unchained
    from page`.execute(db)
  return rows[0]!
}

/** Selects the ids of queued entries that no longer exist. */
export async function selectMissing(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id::text as event_id from audit_unsealed
    where not exists (select from audit_event where id = audit_unsealed.event_id)
    order by audit_unsealed.event_id limit ${limit}`.execute(db)
  return rows.map(({ event_id }) => event_id)
}

/**
 * Returns the first of the queued entries written from `from` to `until` (exclusive; `from` null: no limit),
 * and their number.
 */
export async function selectDelayed(
  db: Db,
  from: Date | null,
  until: Date,
): Promise<{ first: string | null; count: number }> {
  const { rows } = await sql<{ first: string | null; count: number }>`
    select min(id)::text as first, count(*) as count from audit_unsealed join audit_event on id = event_id
    where at < ${until} and at >= coalesce(${from}::timestamptz, '-infinity')`.execute(db)
  return rows[0]!
}

/**
 * Returns the highest position that any verification has read, as recorded in the audit log; 0 before the
 * first.
 */
export async function selectLastVerifiedPosition(db: Db): Promise<number> {
  const { rows } = await sql<{ reached: number }>`
    select coalesce(max(case when jsonb_typeof(changes #> '{position,to}') = 'number'
      then (changes #>> '{position,to}')::numeric end), 0)::float8 as reached
    from audit_event where action = 'log.verified'`.execute(db)
  return rows[0]!.reached
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
