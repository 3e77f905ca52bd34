import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { AuditAction } from '../../../../shared/audit/audit-actions.ts'
import type { OpeningAct } from '../../../../shared/incidents/incidents.ts'
import type { Db } from '../../../platform/database/database.ts'
import { namedRecipient } from './named-recipient.sql.ts'

/** The entries of the audit log that are an opening. */
const ACTS: Partial<Record<AuditAction, OpeningAct>> = {
  'upload.read': 'open',
  'file.preview': 'preview',
  'file.download': 'download',
  'upload.download': 'archive',
}

const lockKey = (uploadId: RawBuilder<unknown>) => sql`hashtextextended('dosar.openings ' || ${uploadId}, 0)`

/** Until the transaction ends, nobody changes the upload. */
export const lockOpeningsForShare = (db: Db, uploadId: string) =>
  sql`select pg_advisory_xact_lock_shared(${lockKey(sql`${uploadId}::uuid`)})`.execute(db)

/**
 * Waits until no transaction records an opening of the uploads that the query `ids` returns, and keeps new ones
 * waiting. Returns the ids.
 */
export const lockOpeningsExclusively = (db: Db, ids: RawBuilder<unknown>) =>
  sql<{ id: string }>`select id, pg_advisory_xact_lock(${lockKey(sql`id`)})
    from (select id from (${ids}) version order by id) version`.execute(db)

/** Returns when the upload's institution was changed, by whatever action, and from which, in order. */
export const selectInstitutionChanges = (db: Db, uploadId: string) =>
  db
    .selectFrom('audit_event')
    .select(['at', sql<string | null>`changes -> 'institution_id' ->> 'from'`.as('from')])
    .where('subject_id', '=', uploadId)
    .where(sql<SqlBool>`changes ? 'institution_id'`)
    .orderBy('id')
    .execute()

/** Returns when the upload was last moved to another patient. */
export const selectLastMove = async (db: Db, uploadId: string): Promise<Date | null> =>
  (
    await db
      .selectFrom('audit_event')
      .select((eb) => eb.fn.max('at').as('at'))
      .where('subject_id', '=', uploadId)
      .where('action', '=', 'upload.move')
      .executeTakeFirstOrThrow()
  ).at

/**
 * Returns what users of institutions did with the upload and its files after `since`: a row for each user, act and
 * period, which is the number of `changes` before it.
 */
export const selectActs = (
  db: Db,
  uploadId: string,
  { since, changes }: { since: Date | null; changes: readonly Date[] },
) =>
  db
    .selectFrom('audit_event')
    .select((eb) => [
      'actor_id',
      eb.fn.max('actor_name').as('actor_name'),
      'action',
      sql<number>`(select count(*)::int from unnest(${changes}::timestamptz[]) change where change <= at)`.as(
        'period',
      ),
      eb.fn.min('at').as('first_at'),
      eb.fn.max('at').as('last_at'),
    ])
    .where(
      sql<SqlBool>`subject_id = any(array(select id from file where upload_id = ${uploadId}::uuid) || ${uploadId}::uuid)`,
    )
    .where('action', 'in', Object.keys(ACTS))
    .where('role', '=', 'institution')
    .where('outcome', '=', 'ok')
    .where('actor_id', 'is not', null)
    .$if(since !== null, (query) => query.where('at', '>', since))
    .groupBy(['actor_id', 'action', 'period'])
    .execute()

/** The entries of the audit log that are an opening by the recipient of a share. */
const SHARE_ACTS: Partial<Record<AuditAction, OpeningAct>> = {
  'share.results': 'open',
  'share.preview': 'preview',
  'share.download': 'download',
  'share.download-all': 'archive',
}

/**
 * Returns what recipients of shares did with the upload and its files after `since`: a row for each kind of recipient and act, and
 * for each name of those who are neither the patient nor designated by the patient.
 */
export const selectShareActs = (db: Db, uploadId: string, since: Date | null) =>
  shareActs(db, uploadId, since)
    .select((eb) => [
      'share.recipient_kind',
      namedRecipient.as('name'),
      'audit_event.action',
      eb.fn.min('audit_event.at').as('first_at'),
      eb.fn.max('audit_event.at').as('last_at'),
    ])
    .groupBy(['share.recipient_kind', 'name', 'audit_event.action'])
    .execute()

/** Returns a share, the newest, for each address whose recipient has opened the upload after `since`. */
export const selectAddressesOfOpeners = (db: Db, uploadId: string, since: Date | null) =>
  shareActs(db, uploadId, since)
    .select(['share.id', 'share.email'])
    .distinctOn('share.email')
    .where('share.email', 'is not', null)
    .orderBy('share.email')
    .orderBy('share.created_at', 'desc')
    .$narrowType<{ email: string }>()
    .execute()

const shareActs = (db: Db, uploadId: string, since: Date | null) =>
  db
    .selectFrom('audit_event')
    .innerJoin('share', 'share.id', 'audit_event.subject_id')
    .where(
      sql<SqlBool>`audit_event.subject_id = any(array(select share_id from share_upload where upload_id = ${uploadId}::uuid))`,
    )
    .where(
      sql<SqlBool>`audit_event.subject_ids && (array(select id from file where upload_id = ${uploadId}::uuid) || ${uploadId}::uuid)`,
    )
    .where('audit_event.action', 'in', Object.keys(SHARE_ACTS))
    .where('audit_event.outcome', '=', 'ok')
    .$if(since !== null, (query) => query.where('audit_event.at', '>', since))

export const actOf = (action: string): OpeningAct =>
  ACTS[action as AuditAction] ?? SHARE_ACTS[action as AuditAction]!

/** Returns the users who have marked the upload as opened, with their names. */
export const selectOpeners = (db: Db, uploadId: string) =>
  db
    .selectFrom('upload_opening')
    .innerJoin('app_user', 'app_user.id', 'upload_opening.user_id')
    .select(['user_id', 'opened_at', 'downloaded_at', 'app_user.name'])
    .where('upload_id', '=', uploadId)
    .execute()

/** Returns when each institution was last asked to delete the upload. */
export const selectLastRequests = (db: Db, uploadId: string) =>
  db
    .selectFrom('deletion_request')
    .innerJoin('incident', 'incident.id', 'deletion_request.incident_id')
    .select((eb) => ['institution_id', eb.fn.max('deletion_request.created_at').as('created_at')])
    .where('incident.upload_id', '=', uploadId)
    .groupBy('institution_id')
    .execute()

export const hasIncident = async (db: Db, uploadId: string): Promise<boolean> =>
  (await db.selectFrom('incident').select('id').where('upload_id', '=', uploadId).limit(1).execute()).length >
  0

export const selectInstitutionNames = (db: Db, ids: readonly string[]) =>
  db.selectFrom('institution').select(['id', 'name']).where(sql<SqlBool>`id = any(${ids}::uuid[])`).execute()

/** Makes an upload, which the transaction has locked, one that nobody has opened. */
export const deleteOpenings = (db: Db, uploadId: string) =>
  db.deleteFrom('upload_opening').where('upload_id', '=', uploadId).execute()

/** Makes an upload, which the transaction has locked, one that was never released, opened or marked. */
export async function forgetRelease(db: Db, uploadId: string): Promise<void> {
  await db.updateTable('upload').set({ released_at: null }).where('id', '=', uploadId).execute()
  await deleteOpenings(db, uploadId)
  await db.deleteFrom('inbox_item').where('upload_id', '=', uploadId).execute()
}
