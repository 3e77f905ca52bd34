import { dayInRomania } from '../../../../shared/romania/day.ts'
import { formatBytes } from '../../../../shared/romania/romanian.ts'
import { OPERATION_LIMITS } from '../../../../shared/uploads/operations.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { renewContextInUse } from '../../accounts/sessions/renew-actor.ts'
import { openFiles } from '../files/open-file.ts'
import { type ArchiveEntry, distinctFolders, toEntries } from '../files/zip-files.ts'
import { findUploads } from '../find-upload.ts'
import { uploadScope } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { findFilesOfUploads } from '../uploads.loaders.ts'
import { readSelection } from './mark-results.ts'

/** Results of the inbox that are sent as one archive, with the files of each. */
export type ResultsToSend = { uploads: UploadRow[]; fileIds: ReadonlySet<string> }

/**
 * Returns the results for one archive, in the order of the ids, for a user of their institutions; records nothing. Throws
 * NOT_FOUND unless the actor may read all of them, and CONFLICT if they are too large together.
 */
export async function getResults(ctx: UserCtx, ids: readonly string[]): Promise<ResultsToSend> {
  if (uploadScope(ctx.actor).kind !== 'released-to') throw forbidden('download results')
  const wanted = readSelection(ids)
  const found = new Map((await findUploads(ctx, wanted.filter(isId))).map((upload) => [upload.id, upload]))
  const uploads = wanted.flatMap((id) => found.get(id) ?? [])
  const files = await findFilesOfUploads(
    ctx,
    wanted.filter((id) => found.has(id)),
  )
  if (uploads.length < wanted.length || files.length === 0) throw notFound('results')
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (bytes > OPERATION_LIMITS.downloadBytes)
    throw invalidState(
      'too many bytes',
      `Fișierele au ${formatBytes(bytes)}, iar o descărcare are cel mult ${formatBytes(OPERATION_LIMITS.downloadBytes)}. Alegeți mai puține rezultate.`,
    )
  return { uploads, fileIds: new Set(files.map(({ id }) => id)) }
}

/**
 * Yields the files of the results, each result in a folder of its own. When its turn comes it is opened as a single
 * download is, with the rights of that moment and an audit entry; one that can no longer be opened ends the archive, so
 * that none is missing from it unnoticed.
 */
export async function* openResults(ctx: UserCtx, { uploads }: ResultsToSend): AsyncGenerator<ArchiveEntry> {
  const folders = distinctFolders(uploads.map(folderOf))
  for (const [place, { id }] of uploads.entries()) {
    const { files } = await openFiles(await renewContextInUse(ctx), id)
    for (const { file, name } of toEntries(files)) yield { file, name: `${folders[place]}/${name}` }
  }
}

/** Throws unless the actor may still read all that is sent. */
export async function requireResults(ctx: UserCtx, { uploads, fileIds }: ResultsToSend): Promise<void> {
  const now = await getResults(
    ctx,
    uploads.map(({ id }) => id),
  )
  for (const id of fileIds) if (!now.fileIds.has(id)) throw notFound('file')
}

/** Leaves room for the names of the files within the paths of Windows. */
const MAX_FOLDER = 100

const folderOf = ({
  patient_surname,
  patient_given_names,
  examined_on,
  released_at,
  title,
}: UploadRow): string =>
  [
    `${patient_surname ?? ''} ${patient_given_names ?? ''}`,
    examined_on ?? (released_at && dayInRomania(released_at)),
    title,
  ]
    .join(' – ')
    .slice(0, MAX_FOLDER)
