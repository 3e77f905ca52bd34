import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { lockUploads } from '../uploads.db.ts'

/**
 * Locks the shares that show uploads, in one order: of two transactions that take their last uploads, the second sees what the
 * first has taken. No key update, so that what recipients do is recorded meanwhile.
 */
export const lockSharesOf = (db: Db, uploadIds: readonly string[]) =>
  db
    .selectFrom('share')
    .select('id')
    .where(
      sql<SqlBool>`id = any(array(select share_id from share_upload where upload_id = any(${uploadIds}::uuid[]) and removed_at is null))`,
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

/** Takes uploads out of the shares that show them, with `patientId` only those of this patient, and returns the shares. */
export const removeFromShares = async (
  db: Db,
  {
    uploadIds,
    patientId = null,
    now,
  }: { uploadIds: readonly string[]; patientId?: string | null; now: Date },
): Promise<string[]> => {
  const rows = await db
    .updateTable('share_upload')
    .set({ removed_at: now })
    .where('removed_at', 'is', null)
    .where(sql<SqlBool>`upload_id = any(${uploadIds}::uuid[])`)
    .$if(patientId !== null, (query) =>
      query.where(
        sql<SqlBool>`exists (select from share where share.id = share_id and share.patient_id = ${patientId}::uuid)`,
      ),
    )
    .returning('share_id')
    .execute()
  return [...new Set(rows.map(({ share_id }) => share_id))]
}

/** Adds the upload to those of the shares that have not ended. */
export const addToShares = (
  db: Db,
  { uploadId, shareIds, now }: { uploadId: string; shareIds: readonly string[]; now: Date },
) =>
  db
    .insertInto('share_upload')
    .columns(['share_id', 'upload_id', 'added_at'])
    .expression((eb) =>
      eb
        .selectFrom('share')
        .select([
          'share.id',
          sql<string>`${uploadId}::uuid`.as('upload_id'),
          sql<Date>`${now}::timestamptz`.as('added_at'),
        ])
        .where(sql<SqlBool>`share.id = any(${shareIds}::uuid[])`)
        .where('share.ended_at', 'is', null),
    )
    .onConflict((on) => on.columns(['share_id', 'upload_id']).doUpdateSet({ removed_at: null }))
    .execute()

/** Ends those of the shares that show no upload any more, and returns them. */
export const endEmptyShares = (db: Db, shareIds: readonly string[], now: Date) =>
  db
    .updateTable('share')
    .set((eb) => ({ ended_at: now, ended_why: 'uploads' as const, version: eb('version', '+', 1) }))
    .where(sql<SqlBool>`id = any(${shareIds}::uuid[])`)
    .where('ended_at', 'is', null)
    .where(
      sql<SqlBool>`not exists (select from share_upload where share_id = share.id and removed_at is null)`,
    )
    .returning(['id', 'patient_id'])
    .execute()

export const selectSharePatients = (db: Db, shareIds: readonly string[]) =>
  db
    .selectFrom('share')
    .select(['id', 'patient_id'])
    .where(sql<SqlBool>`id = any(${shareIds}::uuid[])`)
    .where('ended_at', 'is', null)
    .execute()

/** Gives the shares of the uploads that have changed their patient to that patient, if all that they show is theirs. */
export const moveShares = (
  db: Db,
  { from, to, uploadIds }: { from: string; to: string; uploadIds: readonly string[] },
) =>
  db
    .updateTable('share')
    .set({ patient_id: to })
    .where('patient_id', '=', from)
    .where(sql<SqlBool>`exists (select from share_upload
      where share_id = share.id and upload_id = any(${uploadIds}::uuid[]))`)
    .where(sql<SqlBool>`not exists (select from share_upload join upload on upload.id = share_upload.upload_id
      where share_id = share.id and removed_at is null and upload.patient_id is distinct from ${to}::uuid)`)
    .execute()

/** Locks the uploads, in one order, so that none leaves its release before its share is written. */
export const lockForSharing = (db: Db, ids: readonly string[]) =>
  lockUploads(db, sql`select unnest(${ids}::uuid[]) as id`)
