import type { Ctx } from '../../../context.ts'
import { type FactRow, selectFactsOf } from '../inspection/facts.db.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { type FileRow, selectFiles } from '../uploads.db.ts'
import { selectReadings } from './readings.db.ts'

/** A file that was not checked yet: `inspection` is null until it is read. */
export type UncheckedFile = { file: FileRow; inspection: Inspection | null; facts: readonly FactRow[] }

/** Returns the files of an upload that were not checked yet, for callers that have read the upload with the actor's scope. */
export async function findUncheckedFiles({ db }: Ctx, uploadId: string): Promise<UncheckedFile[]> {
  const files = (await selectFiles(db, uploadId)).filter(({ scan_result }) => scan_result === 'pending')
  if (files.length === 0) return []
  const readings = new Map((await selectReadings(db, uploadId)).map((row) => [row.file_id, row.inspection]))
  const facts = Map.groupBy(await selectFactsOf(db, [...readings.keys()]), ({ file_id }) => file_id)
  return files.map((file) => ({
    file,
    inspection: readings.get(file.id) ?? null,
    facts: facts.get(file.id) ?? [],
  }))
}
