import { type SqlBool, sql } from 'kysely'
import { batchRows } from '../../platform/database/batcher.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Placeholders, staticQuery } from '../../platform/database/static-query.ts'

/** The values that a merge changed, by column. */
export type MergeChanges = Record<string, { from: string | null; to: string | null }>

const merges = (db: Db) =>
  db
    .selectFrom('patient_merge')
    .innerJoin('patient as merged', 'merged.id', 'patient_merge.merged_id')
    .innerJoin('app_user', 'app_user.id', 'patient_merge.merged_by')
    .selectAll('patient_merge')
    .select(['merged.surname', 'merged.given_names', 'merged.number', 'app_user.name as merged_by_name'])

export type MergeRow = Awaited<ReturnType<typeof loadMergesInto>>[number]

const mergesIntoPatients = staticQuery((db, slot: Placeholders<{ ids: readonly string[] }>) =>
  merges(db)
    .where(sql<SqlBool>`survivor_id = any(${slot('ids')}::uuid[])`)
    .where('undone_at', 'is', null)
    .orderBy('merged_at', 'desc'),
)

/** Returns the merges into a patient, the newest first, without those undone; concurrent requests share a statement. */
export const loadMergesInto = batchRows(
  (db: Db, ids: readonly string[]) => mergesIntoPatients(db, { ids }),
  (survivorId: string) => survivorId,
  ({ survivor_id }) => survivor_id,
)

export const selectMerge = (db: Db, id: string) =>
  merges(db).where('patient_merge.id', '=', id).executeTakeFirst()

export const insertMerge = (
  db: Db,
  merge: {
    id: string
    survivor_id: string
    merged_id: string
    upload_ids: string[]
    referral_ids: string[]
    news_ids: string[]
    changes: MergeChanges
    merged_by: string
    merged_at: Date
  },
) =>
  db
    .insertInto('patient_merge')
    .values({ ...merge, changes: JSON.stringify(merge.changes) })
    .execute()

export const updateUndone = (db: Db, id: string, undoneBy: string, now: Date) =>
  db
    .updateTable('patient_merge')
    .set({ undone_by: undoneBy, undone_at: now })
    .where('id', '=', id)
    .where('undone_at', 'is', null)
    .execute()

/** Gives what was recalled and asked about uploads while two patients were merged back to the patient of these uploads. */
export async function moveRecordsOfUploads(
  db: Db,
  { from, to, uploadIds }: { from: string; to: string; uploadIds: readonly string[] },
): Promise<void> {
  await db
    .updateTable('recall')
    .set({ patient_id: to })
    .where('patient_id', '=', from)
    .where(sql<SqlBool>`upload_id = any(${uploadIds}::uuid[])`)
    .execute()
  // A conversation from before the merge went on in it: there is no second one.
  await db
    .updateTable('question')
    .set({ patient_id: to })
    .where('patient_id', '=', from)
    .where(sql<SqlBool>`upload_id = any(${uploadIds}::uuid[]) and not exists (
      select from question other where other.upload_id = question.upload_id
        and other.institution_id = question.institution_id and other.patient_id = ${to}::uuid)`)
    .execute()
}

/** Gives the requests for access that were accepted while two patients were merged to the one whose CNP they state. */
export const moveAccessRequests = (db: Db, { from, to, since }: { from: string; to: string; since: Date }) =>
  db
    .updateTable('access_request')
    .set({ patient_id: to })
    .where('patient_id', '=', from)
    .where('decided_at', '>=', since)
    .where(sql<SqlBool>`exists (select from patient owner
      where reverse(owner.cnp) collate "C" = reverse(access_request.cnp) and owner.cnp is not null
        and coalesce(surviving_patient(owner.id), owner.id) = ${to}::uuid)`)
    .execute()

/**
 * Names in incidents of while two patients were merged the patient whose the uploads were: `uploadIds` were of the other one,
 * and those `back` are again. The patient to whom a person has moved one stays.
 */
export const moveIncidents = (
  db: Db,
  {
    from,
    to,
    uploadIds,
    back,
    since,
  }: { from: string; to: string; uploadIds: readonly string[]; back: readonly string[]; since: Date },
) =>
  db
    .updateTable('incident')
    .set({
      former_patient_id: sql<string>`case former_patient_id when ${from}::uuid then ${to}::uuid else former_patient_id end`,
      patient_id: sql<string>`case when patient_id = ${from}::uuid
        and (former_patient_id = ${from}::uuid or upload_id = any(${back}::uuid[])) then ${to}::uuid else patient_id end`,
    })
    .where(sql<SqlBool>`upload_id = any(${uploadIds}::uuid[])`)
    .where('moved_at', '>=', since)
    .execute()

/** Forgets the patient in groups of batches that are not filed yet, for which either of two merged patients may have been meant. */
export const deleteChoices = (db: Db, patientId: string) =>
  db
    .deleteFrom('batch_choice')
    .where('patient_id', '=', patientId)
    .where(sql<SqlBool>`exists (select from upload where id = upload_id and state = 'receiving')`)
    .execute()
