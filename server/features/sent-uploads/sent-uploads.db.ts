import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'

/** Returns what users of these institutions have sent and submitted, newest first, as the database shows it to guests. */
export function selectSentUploads(db: Db, institutionIds: readonly string[], page: PageRequest) {
  const ranges = institutionIds.map((institutionId) =>
    keyset(
      db
        .selectFrom('sent_upload')
        .select(['sent_upload.id', 'sent_upload.created_at as at'])
        .where('sent_upload.sender_institution_id', '=', institutionId),
      { by: { 'sent_upload.created_at': 'timestamptz', 'sent_upload.id': 'uuid' }, direction: 'desc' },
      page,
    ),
  )
  return db
    .selectFrom('sent_upload')
    .leftJoin('patient', 'patient.id', 'sent_upload.patient_id')
    .leftJoin('app_user as sender', 'sender.id', 'sent_upload.created_by')
    .selectAll('sent_upload')
    .select([
      'patient.surname as patient_surname',
      'patient.given_names as patient_given_names',
      'sender.name as sender_name',
      // Only a result that is released to the institution itself is visible to it.
      sql<boolean>`exists (select from upload where upload.id = sent_upload.id offset 0)`.as('is_result'),
    ])
    .where(
      sql<SqlBool>`sent_upload.id = any(array(
        select id from (${sql.join(ranges, sql` union all `)}) as range
        order by at desc, id desc limit ${page.limit + 1}))`,
    )
    .orderBy('sent_upload.created_at', 'desc')
    .orderBy('sent_upload.id', 'desc')
    .execute()
}

/** Returns what the user has sent and what was rejected, the last first, without the patient, as the database shows it to guests. */
export const selectRejectedOf = (guest: Db, userId: string, limit: number) =>
  guest
    .selectFrom('sent_upload')
    .select(['id', 'number', 'state_since'])
    .where('created_by', '=', userId)
    .where('state', '=', sql.lit('rejected'))
    .orderBy('state_since', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
export type RejectedUpload = Awaited<ReturnType<typeof selectRejectedOf>>[number]

export type SentUploadRow = Awaited<ReturnType<typeof selectSentUploads>>[number]

type Sender = { userId: string; institutionIds: readonly string[] }

const drafts = (db: Db, { userId, institutionIds }: Sender) =>
  db
    .selectFrom('upload')
    .where('created_by', '=', userId)
    .where('sender_institution_id', 'is not', null)
    .where(sql<SqlBool>`sender_institution_id = any(${institutionIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('state', '=', sql.lit('receiving'))

/** Returns the ids of the sender's drafts, the newest first. */
export const selectDraftIds = async (db: Db, sender: Sender, limit: number): Promise<string[]> => {
  const rows = await drafts(db, sender)
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Counts the sender's drafts, and lets no other transaction add one meanwhile. */
export async function countDrafts(tx: Db, sender: Sender): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`drafts of ${sender.userId}`}, 0))`.execute(tx)
  const { count } = await drafts(tx, sender)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Returns those of the fingerprints that a file of another submitted upload of these institutions has. */
export const selectSentHashes = async (
  db: Db,
  { id, institutionIds }: { id: string; institutionIds: readonly string[] },
  hashes: readonly Buffer[],
): Promise<Buffer[]> => {
  const rows = await db
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select('file.sha256')
    .distinct()
    .where(sql<SqlBool>`file.sha256 = any(${hashes}::bytea[])`)
    .where('file.removed_at', 'is', null)
    .where('upload.id', '!=', id)
    .where('upload.deleted_at', 'is', null)
    .where('upload.state', 'not in', ['receiving', 'withdrawn', 'rejected', 'quarantined'])
    .where(sql<SqlBool>`upload.sender_institution_id = any(${institutionIds}::uuid[])`)
    .execute()
  return rows.map(({ sha256 }) => sha256)
}

/** Returns those of the fingerprints that a file has which the database shows to the guest: of a result of theirs. */
export const selectReceivedHashes = async (guest: Db, hashes: readonly Buffer[]): Promise<Buffer[]> => {
  const rows = await guest
    .selectFrom('file')
    .innerJoin('upload', 'upload.id', 'file.upload_id')
    .select('file.sha256')
    .distinct()
    .where(sql<SqlBool>`file.sha256 = any(${hashes}::bytea[])`)
    .where('file.removed_at', 'is', null)
    .where('upload.state', '=', 'released')
    .execute()
  return rows.map(({ sha256 }) => sha256)
}

/** Returns the patient's examinations for these institutions that are not released yet, the longest waiting first. */
export const selectUnderWay = (
  guest: Db,
  { patientId, institutionIds }: { patientId: string; institutionIds: readonly string[] },
  limit: number,
) =>
  guest
    .selectFrom('examination_under_way')
    .select(['category_name', sql<string>`(filed_at at time zone 'Europe/Bucharest')::date`.as('filed_on')])
    .where('patient_id', '=', patientId)
    .where(sql<SqlBool>`institution_id = any(${institutionIds}::uuid[])`)
    .orderBy('filed_at')
    .limit(limit)
    .execute()

export type UnderWayRow = Awaited<ReturnType<typeof selectUnderWay>>[number]
