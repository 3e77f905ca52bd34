import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'

/** States without a way back. */
const FINAL = ['withdrawn', 'replaced'] as const

/** Locks the uploads of the patients until the transaction ends, in the order of their ids, also those in the bin. */
export const lockUploadsOfPatients = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('upload')
    .select('id')
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()

/** Raises the versions, so that a change or a verdict based on the former patient is rejected. */
export const updatePatientOfUploads = (
  db: Db,
  { from, to, ids, now }: { from: string; to: string; ids: readonly string[] | null; now: Date },
) =>
  db
    .updateTable('upload')
    .set((eb) => ({ patient_id: to, updated_at: now, version: eb('version', '+', 1) }))
    .where('patient_id', '=', from)
    .$if(ids !== null, (query) => query.where(sql<SqlBool>`id = any(${ids}::uuid[])`))
    .returning(['id', 'institution_id'])
    .execute()

/** Returns the uploads for an institution that has not referred their patient, at most 20. */
export const selectUnreferredUploads = (db: Db, patientIds: readonly string[]) =>
  db
    .selectFrom('upload')
    .select(['id', 'number'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .where('institution_id', 'is not', null)
    .where('state', 'not in', FINAL)
    .where(
      sql<SqlBool>`not exists (select from referral where referral.patient_id = upload.patient_id
        and referral.institution_id = upload.institution_id offset 0)`,
    )
    .orderBy('id')
    .limit(20)
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
