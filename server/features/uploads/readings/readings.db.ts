import { sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { Inspection } from '../inspection/inspection.ts'

/** `may_confirm`: it was searched for what prevents the automatic acceptance. */
export type ReadingRow = {
  file_id: string
  reader: number
  may_confirm: boolean
  inspection: Inspection
}

/** Keeps an inspection of a file, in place of an earlier one. */
export async function saveReading(
  db: Db,
  { file_id, reader, may_confirm, inspection }: ReadingRow,
  now: Date,
): Promise<void> {
  const { text: content_text = null, ...rest } = { text: null, ...inspection }
  const values = { reader, may_confirm, inspection: JSON.stringify(rest), content_text, read_at: now }
  await db
    .insertInto('file_reading')
    .values({ file_id, ...values })
    .onConflict((on) => on.column('file_id').doUpdateSet(values))
    .execute()
}

const readings = (db: Db, uploadId: string) =>
  db
    .selectFrom('file')
    .innerJoin('file_reading', 'file_reading.file_id', 'file.id')
    .select([
      'file_reading.file_id',
      'file_reading.reader',
      'file_reading.may_confirm',
      'file_reading.inspection',
    ])
    .where('file.upload_id', '=', uploadId)
    .where('file.scan_result', '=', 'pending')
    .where('file.removed_at', 'is', null)

/** Returns the inspections of an upload's files that are not checked yet, without their texts. */
export const selectReadings = async (db: Db, uploadId: string): Promise<ReadingRow[]> =>
  (await readings(db, uploadId).execute()) as unknown as ReadingRow[]

/** Returns the inspections of an upload's files that are not checked yet, with their texts. */
export const selectReadingsWithText = async (db: Db, uploadId: string): Promise<ReadingRow[]> => {
  const rows = await readings(db, uploadId).select('file_reading.content_text').execute()
  return rows.map(({ content_text: text, inspection, ...row }) => ({
    ...row,
    inspection: { text, ...(inspection as object) } as unknown as Inspection,
  }))
}

/** Returns the inspection of one file by this version of the reader, without its text. */
export const selectReading = async (
  db: Db,
  fileId: string,
  reader: number,
): Promise<Inspection | undefined> => {
  const row = await db
    .selectFrom('file_reading')
    .select('inspection')
    .where('file_id', '=', fileId)
    .where('reader', '=', reader)
    .executeTakeFirst()
  return row?.inspection as unknown as Inspection | undefined
}

/** Whether an inspection by this version of the reader is kept of the file. */
export const hasReading = async (db: Db, fileId: string, reader: number): Promise<boolean> =>
  (await db
    .selectFrom('file_reading')
    .select('file_id')
    .where('file_id', '=', fileId)
    .where('reader', '=', reader)
    .executeTakeFirst()) !== undefined

/** Deletes what is kept of all files of an upload. */
export const deleteReadings = (db: Db, uploadId: string) =>
  db
    .deleteFrom('file_reading')
    .where('file_id', 'in', (eb) => eb.selectFrom('file').select('id').where('upload_id', '=', uploadId))
    .execute()

/** Deletes what is kept of one file. */
export const deleteReading = (db: Db, fileId: string) =>
  db.deleteFrom('file_reading').where('file_id', '=', fileId).execute()

/** Deletes the facts of an upload's files that were not checked. */
export const deleteUncheckedFacts = (db: Db, uploadId: string) =>
  db
    .deleteFrom('file_fact')
    .where('file_id', 'in', (eb) =>
      eb
        .selectFrom('file')
        .select('id')
        .where('upload_id', '=', uploadId)
        .where('scan_result', '=', sql.lit('pending')),
    )
    .execute()
