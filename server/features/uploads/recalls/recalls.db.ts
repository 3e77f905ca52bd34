import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { DB } from '../../../platform/database/types.generated.ts'

/** The most recalls that an institution is shown. */
const MAX_SHOWN = 100

export const insertRecall = (db: Db, recall: Insertable<DB['recall']>) =>
  db.insertInto('recall').values(recall).execute()

/** Leads the recalls that led to `former` to the version after it. */
export const updateReplacement = (db: Db, former: string, newest: string) =>
  db.updateTable('recall').set({ replaced_by: newest }).where('replaced_by', '=', former).execute()

export const deleteRecalls = (db: Db, uploadId: string, institutionIds: readonly string[]) =>
  db
    .deleteFrom('recall')
    .where('upload_id', '=', uploadId)
    .where(sql<SqlBool>`institution_id = any(${institutionIds}::uuid[])`)
    .execute()

/** The name is null where the reader may not read the patient, or no longer. */
const recalls = (db: Db) =>
  db
    .selectFrom('recall')
    .innerJoin('institution', 'institution.id', 'recall.institution_id')
    .leftJoin('app_user', 'app_user.id', 'recall.acknowledged_by')
    .select([
      'recall.id',
      'recall.upload_id',
      'recall.institution_id',
      'recall.kind',
      'recall.recalled_at',
      'recall.replaced_by',
      'recall.patient_id',
      'recall.upload_number',
      'recall.title',
      'recall.examined_on',
      'recall.released_at',
      'recall.openings',
      'recall.acknowledged_at',
      'app_user.name as acknowledged_by_name',
      sql<string>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
      // Merges lead to another id, which is found first (`offset 0`): row-level security lets no index use the function.
      sql<string | null>`(select patient.surname || ' ' || patient.given_names
        from (select coalesce(surviving_patient(recall.patient_id), recall.patient_id) as id offset 0) survivor
        join patient on patient.id = survivor.id)`.as('patient_name'),
    ])

/** Returns those of the institutions that are still shown, without an acknowledgement first, then the newest. */
export const selectShownRecalls = (db: Db, institutionIds: readonly string[], now: Date) =>
  recalls(db)
    .where(sql<SqlBool>`recall.institution_id = any(${institutionIds}::uuid[])`)
    .where('recall.shown_until', '>', now)
    .orderBy('recall.shown_until', 'desc')
    .orderBy('recall.recalled_at', 'desc')
    .orderBy('recall.id', 'desc')
    .limit(MAX_SHOWN)
    .execute()

export type RecallRow = Awaited<ReturnType<typeof selectShownRecalls>>[number]

/** Returns those of an upload, of these institutions; of all of them for null. */
export const selectRecallsOf = (db: Db, uploadId: string, institutionIds: readonly string[] | null) =>
  recalls(db)
    .where('recall.upload_id', '=', uploadId)
    .$if(institutionIds !== null, (query) =>
      query.where(sql<SqlBool>`recall.institution_id = any(${institutionIds}::uuid[])`),
    )
    .orderBy('institution.name')
    .execute()

export const selectOwnRecall = (db: Db, institutionIds: readonly string[], id: string) =>
  recalls(db)
    .where('recall.id', '=', id)
    .where(sql<SqlBool>`recall.institution_id = any(${institutionIds}::uuid[])`)
    .executeTakeFirst()

/** Returns undefined if a colleague has acknowledged it before. */
export const updateAcknowledged = (
  db: Db,
  id: string,
  { userId, now, shownUntil }: { userId: string; now: Date; shownUntil: Date },
) =>
  db
    .updateTable('recall')
    .set({ acknowledged_at: now, acknowledged_by: userId, shown_until: shownUntil })
    .where('id', '=', id)
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
