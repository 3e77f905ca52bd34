import { type Insertable, type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../shared/limits.ts'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import type { ShareEventKind } from '../../../shared/shares/shares.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import type { LinkHash } from './share-link.ts'

/** Whether the share shows anything now: the one decision, also of recipients' policies. */
const isOpen = sql<boolean>`uploads_of_share(share.id) <> '{}'`

const shares = (db: Db) =>
  db
    .selectFrom('share')
    .innerJoin('patient', 'patient.id', 'share.patient_id')
    .innerJoin('app_user as maker', 'maker.id', 'share.created_by')
    .leftJoin('app_user as ender', 'ender.id', 'share.ended_by')
    // Written in the same transaction; the time has an index.
    .leftJoin('message', (join) =>
      join
        .onRef('message.created_at', '=', 'share.created_at')
        .onRef('message.about_id', '=', 'share.id')
        .on('message.kind', '=', 'share'),
    )
    .select([
      'share.id',
      'share.patient_id',
      'share.created_by',
      'share.created_at',
      'share.recipient_kind',
      'share.recipient_name',
      'share.channel',
      'share.email',
      'share.proof',
      'share.expires_at',
      'share.max_openings',
      'share.openings',
      'share.opened_at',
      'share.reason',
      'share.wrong_proofs',
      'share.locked_until',
      'share.ended_at',
      'share.ended_why',
      'share.ended_note',
      'share.version',
      sql<string>`patient.surname || ' ' || patient.given_names`.as('patient_name'),
      'maker.name as created_by_name',
      'ender.name as ended_by_name',
      sql<MessageState | null>`message.state`.as('mail_state'),
      isOpen.as('is_open'),
    ])

export type ShareRow = NonNullable<Awaited<ReturnType<typeof selectShare>>>

export const selectShare = (db: Db, id: string) => shares(db).where('share.id', '=', id).executeTakeFirst()

export type ShareFilter = {
  patientId: string | null
  /** Who made them. */
  makerId: string | null
  state: 'live' | 'ended' | null
}

/** Returns shares, the newest first; `live` those that have not ended, which an hourly job does once they expire. */
export const selectShares = (
  db: Db,
  { patientId, makerId, state }: ShareFilter,
  page: PageRequest,
): Promise<ShareRow[]> =>
  keyset(
    shares(db)
      .$if(patientId !== null, (query) => query.where('share.patient_id', '=', patientId))
      .$if(makerId !== null, (query) => query.where('share.created_by', '=', makerId))
      .$if(state === 'live', (query) => query.where('share.ended_at', 'is', null))
      .$if(state === 'ended', (query) => query.where('share.ended_at', 'is not', null)),
    { by: { 'share.created_at': 'timestamptz', 'share.id': 'uuid' }, direction: 'desc' },
    page,
  ).execute()

/**
 * Returns the maker's shares that wrong proofs have locked or ended since then, the last first, without whom they are for; not those
 * that have ended otherwise.
 */
export const selectGuessedOf = (db: Db, makerId: string, since: Date, now: Date, limit: number) =>
  db
    .selectFrom('share')
    .select([
      'id',
      'patient_id',
      'recipient_kind',
      'ended_at',
      sql<Date>`coalesce(ended_at, locked_until - make_interval(mins => ${sql.lit(LIMITS.shareLockMinutes)}))`.as(
        'at',
      ),
    ])
    .where('created_by', '=', makerId)
    .where('locked_until', '>=', since)
    .where(sql<SqlBool>`(ended_why = 'proofs' or ended_at is null and expires_at > ${now}::timestamptz)`)
    .orderBy('locked_until', 'desc')
    .limit(limit)
    .execute()
export type GuessedShare = Awaited<ReturnType<typeof selectGuessedOf>>[number]

/** Returns the patients of shares. */
export const selectPatientsOf = (db: Db, ids: readonly string[]) =>
  db.selectFrom('share').select(['id', 'patient_id']).where(sql<SqlBool>`id = any(${ids}::uuid[])`).execute()

export async function insertShare(
  db: Db,
  share: Insertable<DB['share']>,
  uploadIds: readonly string[],
): Promise<void> {
  await db.insertInto('share').values(share).execute()
  await db
    .insertInto('share_upload')
    .values(uploadIds.map((upload_id) => ({ share_id: share.id, upload_id, added_at: share.created_at })))
    .execute()
}

/** Returns how many uploads the share shows now. */
export const countShownUploads = async (db: Db, id: string): Promise<number> =>
  (await sql<{ count: number }>`select cardinality(uploads_of_share(${id}::uuid)) as count`.execute(db))
    .rows[0]!.count

/** Returns the ids of the uploads of shares, without those that were taken out of them. */
export const selectUploadIds = (db: Db, shareIds: readonly string[]) =>
  db
    .selectFrom('share_upload')
    .select(['share_id', 'upload_id'])
    .where(sql<SqlBool>`share_id = any(${shareIds}::uuid[])`)
    .where('removed_at', 'is', null)
    .orderBy('upload_id')
    .execute()

/** Returns the newest events of a share. */
export const selectEvents = (db: Db, shareId: string) =>
  db
    .selectFrom('share_event')
    .leftJoin('file', 'file.id', 'share_event.file_id')
    .select([
      'share_event.id',
      'share_event.kind',
      'share_event.at',
      'share_event.session_id',
      'file.name as file_name',
    ])
    .where('share_event.share_id', '=', shareId)
    .orderBy('share_event.at', 'desc')
    .orderBy('share_event.id', 'desc')
    .limit(LIMITS.shareEvents)
    .execute()
export type EventRow = Awaited<ReturnType<typeof selectEvents>>[number]

/** Ends a share; returns undefined if it has ended. */
export const endShare = (
  db: Db,
  id: string,
  end: { at: Date; by: string | null; why: 'person' | 'proofs'; note: string | null },
) =>
  db
    .updateTable('share')
    .set((eb) => ({
      ended_at: end.at,
      ended_by: end.by,
      ended_why: end.why,
      ended_note: end.note,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['id', 'patient_id', 'created_by'])
    .executeTakeFirst()

export type LinkRow = NonNullable<Awaited<ReturnType<typeof selectLink>>>

/** Returns the share of a link. */
export const selectLink = (db: Db, { column, hash }: LinkHash) =>
  db
    .selectFrom('share')
    .select([
      'id',
      'patient_id',
      'recipient_name',
      'proof',
      'email',
      'expires_at',
      'ended_at',
      'ended_why',
      'wrong_proofs',
      'locked_until',
      'max_openings',
      'openings',
      isOpen.as('is_open'),
    ])
    .where(column, '=', hash)
    .executeTakeFirst()

/** Whether a further proof is taken. */
const takesProofs = (now: Date) => sql<SqlBool>`ended_at is null and expires_at > ${now}::timestamptz
  and wrong_proofs < ${sql.lit(LIMITS.shareWrongProofs.end)} and coalesce(locked_until, '-infinity') <= ${now}::timestamptz
  and openings < coalesce(max_openings, openings + 1) and ${isOpen}`

/**
 * Counts an attempt as wrong, before its proof is checked, and returns the share; undefined if no proof is taken. The columns are compared
 * here as well as in the function, since concurrent attempts compare them again with what the one before has written.
 */
export const claimAttempt = (db: Db, { column, hash }: LinkHash, now: Date) =>
  db
    .updateTable('share')
    .set({
      wrong_proofs: sql<number>`wrong_proofs + 1`,
      locked_until: sql<Date | null>`case when wrong_proofs + 1 = ${sql.lit(LIMITS.shareWrongProofs.lock)}
        then ${now}::timestamptz + make_interval(mins => ${sql.lit(LIMITS.shareLockMinutes)}) else locked_until end`,
    })
    .where(column, '=', hash)
    .where(takesProofs(now))
    .returning([
      'id',
      'patient_id',
      'created_by',
      'recipient_name',
      'proof',
      'pin_hash',
      'mail_code_hash',
      'mail_code_until',
      'wrong_proofs',
    ])
    .returning(
      sql<string | null>`(select birth_date::text from patient where patient.id = share.patient_id)`.as(
        'birth_date',
      ),
    )
    .executeTakeFirst()
export type ClaimedAttempt = NonNullable<Awaited<ReturnType<typeof claimAttempt>>>

const takenBack = {
  wrong_proofs: sql<number>`greatest(wrong_proofs - 1, 0)`,
  // Without a lock that this attempt has begun.
  locked_until: sql<Date | null>`case when wrong_proofs <= ${sql.lit(LIMITS.shareWrongProofs.lock)} then null else locked_until end`,
}

/** Takes back an attempt whose proof was not checked. */
export const returnAttempt = (db: Db, id: string) =>
  db.updateTable('share').set(takenBack).where('id', '=', id).execute()

/**
 * Takes back an attempt with a right proof and counts the opening; undefined if the share has ended or was opened too often meanwhile,
 * or the code by mail has been used or replaced.
 */
export const confirmAttempt = (
  db: Db,
  { id, mail_code_hash }: Pick<ClaimedAttempt, 'id' | 'mail_code_hash'>,
  now: Date,
) =>
  db
    .updateTable('share')
    .set({
      ...takenBack,
      openings: sql<number>`openings + 1`,
      opened_at: sql<Date>`coalesce(opened_at, ${now}::timestamptz)`,
      mail_code_hash: null,
      mail_code_until: null,
    })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('mail_code_hash', 'is not distinct from', mail_code_hash)
    .where(sql<SqlBool>`openings < coalesce(max_openings, openings + 1)`)
    .returning('expires_at')
    .executeTakeFirst()

/** Whether the share sends a code by mail now: none was sent a moment ago, and not too many were. */
const sendsCodes = (now: Date) => sql<SqlBool>`proof = 'email' and ${takesProofs(now)}
  and mail_codes < ${sql.lit(LIMITS.shareCodes)} and coalesce(mail_code_sent_at, '-infinity')
    <= ${now}::timestamptz - make_interval(secs => ${sql.lit(LIMITS.shareCodePauseSeconds)})`

/** Stores a code by mail if the share sends one now, and returns its address then. */
export const storeMailCode = (
  db: Db,
  { column, hash }: LinkHash,
  { codeHash, until, now }: { codeHash: string; until: Date; now: Date },
) =>
  db
    .updateTable('share')
    .set({
      mail_code_hash: codeHash,
      mail_code_until: until,
      mail_code_sent_at: now,
      mail_codes: sql<number>`mail_codes + 1`,
    })
    .where(column, '=', hash)
    .where(sendsCodes(now))
    .returning(['id', 'patient_id', 'email'])
    .executeTakeFirst()

/** Whether a code would be stored now: only then is one hashed. */
export const mayStoreMailCode = (db: Db, { column, hash }: LinkHash, now: Date) =>
  db.selectFrom('share').select('id').where(column, '=', hash).where(sendsCodes(now)).executeTakeFirst()

export const insertSession = (db: Db, session: Insertable<DB['share_session']>) =>
  db.insertInto('share_session').values(session).execute()

/** Returns a session of the share, also one that is over. */
export const selectSession = (db: Db, shareId: string, tokenHash: Buffer) =>
  db
    .selectFrom('share_session')
    .select(['id', 'expires_at'])
    .where('share_id', '=', shareId)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()

/** Whether the session is not over and its share is open. */
export const isSessionOpen = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('share_session')
    .innerJoin('share', 'share.id', 'share_session.share_id')
    .select('share.id')
    .where('share_session.id', '=', id)
    .where('share_session.expires_at', '>', sql<Date>`now()`)
    .where(isOpen)
    .executeTakeFirst()) !== undefined

export const deleteSession = (db: Db, id: string) =>
  db.deleteFrom('share_session').where('id', '=', id).execute()

export const insertEvent = (
  db: Db,
  event: {
    id: string
    share_id: string
    session_id: string | null
    kind: ShareEventKind
    at: Date
    file_id?: string
    ip: string | null
    user_agent: string | null
  },
) => db.insertInto('share_event').values(event).execute()

/** Whether the recipient of the share is the patient, or a person whom the patient has designated. */
export const isForPatient = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom('share')
    .select('id')
    .where('id', '=', id)
    .where('recipient_kind', 'in', ['patient', 'designated'])
    .executeTakeFirst()) !== undefined

/** Returns what the recipient of the database's role sees. */
export const selectSharedUploads = (db: Db) =>
  db
    .selectFrom('upload')
    .leftJoin('category_slug_change as move', (on) =>
      on.onRef('move.old_slug', '=', 'upload.category_slug').on('move.moving', '=', true),
    )
    .leftJoin('category', (on) =>
      on.on((eb) => eb('category.slug', '=', eb.fn.coalesce('move.new_slug', 'upload.category_slug'))),
    )
    .select([
      'upload.id',
      'upload.title',
      'upload.examined_on',
      'upload.released_at',
      'category.name as category_name',
      'category.icon as category_icon',
    ])
    .orderBy('upload.examined_on', (order) => order.desc().nullsLast())
    .orderBy('upload.id')
    .execute()
export type SharedUploadRow = Awaited<ReturnType<typeof selectSharedUploads>>[number]

const sharedFiles = (db: Db) =>
  db
    .selectFrom('file')
    .select([
      'id',
      'upload_id',
      'name',
      'type',
      'kind',
      'size',
      'sha256',
      'storage_key',
      'page_count',
      'created_at',
    ])
    .where('removed_at', 'is', null)

/** Returns the files of what the recipient of the database's role sees, in order. */
export const selectSharedFiles = (db: Db) =>
  sharedFiles(db).orderBy('upload_id').orderBy('position').execute()
export type SharedFileRow = Awaited<ReturnType<typeof selectSharedFiles>>[number]

export const selectSharedFile = (db: Db, id: string): Promise<SharedFileRow | undefined> =>
  sharedFiles(db).where('id', '=', id).executeTakeFirst()

/** Returns the shares that take no further proof and have not ended: a server was killed while it checked the last one. */
export const selectWithoutAttempts = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('share')
      .select('id')
      .where('ended_at', 'is', null)
      .where('wrong_proofs', '>=', LIMITS.shareWrongProofs.end)
      .execute()
  ).map(({ id }) => id)

/** Ends the shares whose time is over, at most `limit`, and returns how many. */
export const endExpired = async (db: Db, now: Date, limit: number): Promise<number> =>
  (
    await db
      .updateTable('share')
      .set((eb) => ({
        ended_at: eb.ref('expires_at'),
        ended_why: 'expired' as const,
        version: eb('version', '+', 1),
      }))
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('share')
          .select('id')
          .where('ended_at', 'is', null)
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit),
      )
      .returning('id')
      .execute()
  ).length

/** Deletes rows of shares that ended before, at most `limit`, and returns how many. */
export const deleteOfEnded = async (
  db: Db,
  table: 'share_session' | 'share_event',
  before: Date,
  limit: number,
): Promise<number> => {
  const rows = sql.table(table)
  const { numAffectedRows } = await sql`delete from ${rows} where id in (
    select old.id from ${rows} old join share on share.id = old.share_id
    where share.ended_at < ${before}::timestamptz limit ${limit})`.execute(db)
  return Number(numAffectedRows)
}
