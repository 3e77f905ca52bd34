import { isAccepted } from '../../../../shared/uploads/files.ts'
import type { Ctx } from '../../../context.ts'
import { batchRows } from '../../../platform/database/batcher.ts'
import { type FactRow, selectComparedFactsOf, selectFacts } from './facts.db.ts'
import { type FileCnps, findCnpsOfFiles } from './find-cnps.ts'

/**
 * Returns the facts of an upload's files, also of those that are not checked yet, for callers that have read the upload with
 * the actor's scope.
 */
export const readFacts = ({ db }: Ctx, uploadId: string): Promise<FactRow[]> => selectFacts(db, uploadId)

/** A file with everything that it states of its patient. */
export type FileFacts = FileCnps & { stated: FactRow[] }

/**
 * Returns what the checked files of an upload state; of the others nothing. The CNPs found in the text of a file count as facts too: files inspected before
 * facts were saved have no others.
 */
export async function findFactsOfFiles(ctx: Ctx, uploadId: string): Promise<FileFacts[]> {
  const files = await findCnpsOfFiles(ctx, uploadId)
  const facts = Map.groupBy(await selectFacts(ctx.db, uploadId), ({ file_id }) => file_id)
  return files.map((file) => {
    const stated = isAccepted(file.scan_result) ? (facts.get(file.id) ?? []) : []
    const known = new Set(stated.filter(({ kind }) => kind === 'cnp').map(({ value }) => value))
    const found = (file.cnps?.found ?? []).filter((cnp) => !known.has(cnp))
    return { ...file, stated: [...stated, ...found.map((cnp) => cnpFact(file.id, cnp))] }
  })
}

const cnpFact = (fileId: string, value: string): FactRow => ({
  file_id: fileId,
  kind: 'cnp',
  value,
  place: { in: 'text' },
  is_doubtful: false,
})

/**
 * Returns the different values that the files of an upload state of its patient, for lists: the calls for a list share one
 * statement.
 */
export const loadComparedFacts = batchRows(
  selectComparedFactsOf,
  (uploadId: string) => uploadId,
  ({ upload_id }) => upload_id,
)
