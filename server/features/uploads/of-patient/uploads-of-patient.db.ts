import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** States without a way back. */
const FINAL = ['withdrawn', 'replaced'] as const

/** Locks the uploads of the patients until the transaction ends, in the order of their ids, also those in the bin. */
export const lockUploadsOfPatients = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('upload')
    .select('id')
    // Each part has an index of its own.
    .where(
      sql<SqlBool>`id = any(array(
        select id from upload where patient_id = any(${patientIds}::uuid[]) and deleted_at is null
        union all select id from upload where patient_id = any(${patientIds}::uuid[]) and deleted_at is not null))`,
    )
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Raises the versions, so that a change or a verdict based on the former patient is rejected. */
export const updatePatientOfUploads = (
  db: Db,
  { from, to, ids, now }: { from: string; to: string; ids: readonly string[]; now: Date },
) =>
  db
    .updateTable('upload')
    .set((eb) => ({ patient_id: to, updated_at: now, version: eb('version', '+', 1) }))
    .where('patient_id', '=', from)
    .where(sql<SqlBool>`id = any(${ids}::uuid[])`)
    .returning(['id', 'institution_id'])
    .execute()

/**
 * Whether a referral of one of the patients shows the upload to its institution, or will after its release: one that
 * has not ended, or ended after the release.
 */
const isShownBy = (patientId: RawBuilder<unknown>) =>
  sql<SqlBool>`exists (select from referral where referral.patient_id = ${patientId}
    and referral.institution_id = upload.institution_id and not referral.mistaken
    and (referral.ended_at is null or (upload.state = 'released' and referral.ended_at >= upload.released_at)) offset 0)`

/** Returns the uploads for an institution to which no referral of their patient shows them, at most 20. */
export const selectHiddenUploads = (db: Db, patientIds: readonly string[]) =>
  hiddenUploads(db, patientIds).limit(20).execute()

const hiddenUploads = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('upload')
    .select(['id', 'number'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('institution_id', 'is not', null)
    .where('state', 'not in', FINAL)
    .where(sql<SqlBool>`not ${isShownBy(sql`upload.patient_id`)}`)
    .orderBy('id')

/** Returns the uploads of either patient that only a referral of the other would show, at most 20. */
export const selectUploadsShownByOther = (db: Db, [one, other]: readonly [string, string]) =>
  hiddenUploads(db, [one, other])
    .where(isShownBy(sql`case upload.patient_id when ${one}::uuid then ${other}::uuid else ${one}::uuid end`))
    .limit(20)
    .execute()

/** Returns the uploads of the patient for the institution that a referral shows to it, or will after their release. */
export const selectShownUploads = (db: Db, patientId: string, institutionId: string) =>
  db
    .selectFrom('upload')
    .select(['id', 'number', 'institution_id', 'patient_id', 'state'])
    .where('patient_id', '=', patientId)
    .where('institution_id', '=', institutionId)
    .where('deleted_at', 'is', null)
    .where('state', 'not in', FINAL)
    .where(isShownBy(sql`upload.patient_id`))
    .orderBy('id')
    .execute()

/**
 * Returns the last end of the referrals by which the institution of the upload was to see it, a mistaken one only if all are;
 * both null without a referral. Undefined if a referral shows the upload, or nothing is to be shown.
 */
export const selectNotShown = (db: Db, uploadId: string) =>
  db
    .selectFrom('upload')
    .leftJoin('referral', (on) =>
      on
        .onRef('referral.patient_id', '=', 'upload.patient_id')
        .onRef('referral.institution_id', '=', 'upload.institution_id'),
    )
    .select([
      'referral.mistaken',
      sql<string | null>`(referral.ended_at at time zone 'Europe/Bucharest')::date`.as('ended_on'),
    ])
    .where('upload.id', '=', uploadId)
    .where('upload.patient_id', 'is not', null)
    .where('upload.institution_id', 'is not', null)
    .where('upload.state', 'not in', FINAL)
    .where(sql<SqlBool>`not ${isShownBy(sql`upload.patient_id`)}`)
    .orderBy('referral.mistaken')
    .orderBy('referral.ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Returns the uploads of the patients that were released since. */
export const selectReleasedSince = (db: Db, patientIds: readonly string[], since: Date) =>
  db
    .selectFrom('upload')
    .select(['id', 'number'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('state', '=', 'released')
    .where('released_at', '>=', since)
    .orderBy('id')
    .execute()

/** Returns the uploads of the patient that were created since, at most 20. */
export const selectUploadsSince = (db: Db, patientId: string, since: Date) =>
  db
    .selectFrom('upload')
    .select(['id', 'number'])
    .where('patient_id', '=', patientId)
    .where('deleted_at', 'is', null)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .limit(20)
    .execute()

export const countUploadsOfPatient = (db: Db, patientId: string) =>
  db
    .selectFrom('upload')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('patient_id', '=', patientId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
