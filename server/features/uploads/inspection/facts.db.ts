import { type SqlBool, sql } from 'kysely'
import type { IntakeFacts } from '../../../../shared/integrations.ts'
import type { FactKind, FactPlace, FileFact } from '../../../../shared/uploads/file-facts.ts'
import type { Db } from '../../../platform/database/database.ts'

/** Replaces the facts of a file. */
export async function replaceFacts(db: Db, fileId: string, facts: readonly FileFact[]): Promise<void> {
  await db.deleteFrom('file_fact').where('file_id', '=', fileId).execute()
  if (facts.length === 0) return
  const rows = facts.map(({ kind, value, place, isDoubtful = false }, index) => ({
    file_id: fileId,
    position: index + 1,
    kind,
    value,
    place: JSON.stringify(place),
    is_doubtful: isDoubtful,
  }))
  await db.insertInto('file_fact').values(rows).execute()
}

/** Deletes the facts of files that were purged, also those that an integration has stated. */
export async function forgetFacts(db: Db, fileIds: readonly string[]): Promise<void> {
  const of = sql<SqlBool>`file_id = any(${fileIds}::uuid[])`
  await db.deleteFrom('file_fact').where(of).execute()
  await db.updateTable('intake').set({ facts: null }).where(of).execute()
}

/** Returns the facts of several files, in the order of each file. */
export async function selectFactsOf(db: Db, fileIds: readonly string[]): Promise<FactRow[]> {
  const rows = await db
    .selectFrom('file_fact')
    .select(['file_id', 'kind', 'value', 'place', 'is_doubtful'])
    .where(sql<SqlBool>`file_id = any(${fileIds}::uuid[])`)
    .orderBy('position')
    .execute()
  return rows.map(toFactRow)
}

export type FactRow = {
  file_id: string
  kind: FactKind
  value: string
  place: FactPlace
  is_doubtful: boolean
}

/** Returns the facts of an upload's files that are not removed, in the order of the files. */
export const selectFacts = async (db: Db, uploadId: string): Promise<FactRow[]> => {
  const rows = await db
    .selectFrom('file_fact')
    .innerJoin('file', 'file.id', 'file_fact.file_id')
    .select([
      'file_fact.file_id',
      'file_fact.kind',
      'file_fact.value',
      'file_fact.place',
      'file_fact.is_doubtful',
    ])
    .where('file.upload_id', '=', uploadId)
    .where('file.removed_at', 'is', null)
    .orderBy('file.position')
    .orderBy('file_fact.position')
    .execute()
  return rows.map(toFactRow)
}

/** The column has what `replaceFacts` writes. */
const toFactRow = <Row extends { place: unknown }>(row: Row) => ({ ...row, place: row.place as FactPlace })

export type ComparedFactRow = Omit<FactRow, 'place'> & { upload_id: string; entry: string | null }

/**
 * Returns the different facts of the checked files of several uploads that are compared with the patient. Of their places
 * only the entry of an archive, by which facts are of one document.
 */
export const selectComparedFactsOf = async (
  db: Db,
  uploadIds: readonly string[],
): Promise<ComparedFactRow[]> => {
  const { rows } = await sql<ComparedFactRow>`
    select distinct file.upload_id, fact.file_id, fact.kind, fact.value, fact.is_doubtful, fact.place ->> 'entry' as entry
    from file join file_fact fact on fact.file_id = file.id
    where file.upload_id = any(${uploadIds}::uuid[]) and file.removed_at is null
      and file.scan_result <> 'pending' and fact.kind in ('cnp', 'name', 'birth-date')`.execute(db)
  return rows
}

/** Returns what the integration that has sent a file states of it; undefined if no integration has. */
export const selectSenderFacts = async (db: Db, fileId: string): Promise<IntakeFacts | null | undefined> =>
  (await db.selectFrom('intake').select('facts').where('file_id', '=', fileId).executeTakeFirst())?.facts
