import { formatBytes } from '../../../shared/romania/romanian.ts'
import { OPERATION_LIMITS } from '../../../shared/uploads/operations.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { renewContextInUse } from '../accounts/sessions/renew-actor.ts'
import { getFiles, openFiles } from '../uploads/files/open-file.ts'
import { type ArchiveEntry, toEntries } from '../uploads/files/zip-files.ts'
import { ChangedMeanwhile, explainFailure } from './explain-failure.ts'
import { countOf, getOperation } from './find-operation.ts'
import { allowsKind, isAuthor } from './operations.access.ts'
import {
  type ItemRow,
  isInState,
  lockOperation,
  type OperationRow,
  selectToDownload,
  sumBytes,
  updateCounts,
  updateItem,
  updateState,
} from './operations.db.ts'

/**
 * Returns a planned download of the actor, also if it was downloaded before. Throws NOT_FOUND, FORBIDDEN, or CONFLICT if
 * it is none, or has nothing or too much to download.
 */
export async function getDownload(ctx: UserCtx, id: string): Promise<OperationRow> {
  const operation = await getOperation(ctx, id)
  if (!isAuthor(ctx.actor, operation) || !allowsKind(operation.kind, ctx.actor))
    throw forbidden('download files of operation')
  if (operation.kind !== 'download' || (operation.state !== 'planned' && operation.state !== 'done'))
    throw invalidState('no planned download', 'Operația nu așteaptă descărcarea.')
  if (countOf(operation, 'will_change') + countOf(operation, 'changed') === 0)
    throw invalidState('nothing to download', 'Nicio încărcare nu se poate descărca.')
  const bytes = await sumBytes(ctx.db, id)
  if (bytes > OPERATION_LIMITS.downloadBytes)
    throw invalidState(
      'too many bytes',
      `Fișierele au ${formatBytes(bytes)}, iar o descărcare are cel mult ${formatBytes(OPERATION_LIMITS.downloadBytes)}. Alege mai puține încărcări.`,
    )
  return operation
}

/** The files of an upload that are being sent. */
export type Sending = { uploadId: string; fileIds: readonly string[] }

/**
 * Yields the files of the uploads of a download, each upload in a folder. When its turn comes it is opened as a single
 * download is, with the rights of that moment and an audit entry; one that cannot be opened, or has changed since the plan,
 * is an exception. `onSend` gets the files of an upload before their first byte.
 */
export async function* openUploads(
  ctx: UserCtx,
  { id }: OperationRow,
  onSend: (sending: Sending) => void,
): AsyncGenerator<ArchiveEntry> {
  for (const item of await selectToDownload(ctx.db, id)) {
    const now = await renewContextInUse(ctx)
    let files: Awaited<ReturnType<typeof openFiles>>['files']
    try {
      files = await openItem(now, item)
    } catch (error) {
      await updateItem(now.db, item, item.outcome, { outcome: 'failed', ...explainFailure(now, item, error) })
      continue
    }
    onSend({ uploadId: item.upload_id!, fileIds: files.map((file) => file.id) })
    for (const { file, name } of toEntries(files)) yield { file, name: `${item.number}/${name}` }
    await updateItem(now.db, item, item.outcome, { outcome: 'changed', reason: null, message: null })
  }
  await inTransaction(ctx, async (tx) => {
    await lockOperation(tx.db, id)
    await updateCounts(tx.db, id)
    if (await isInState(tx.db, id, 'planned')) await updateState(tx.db, id, 'done', { ended_at: new Date() })
  })
}

async function openItem(ctx: UserCtx, { upload_id, version }: ItemRow) {
  const { upload } = await getFiles(ctx, upload_id ?? '')
  if (upload.state !== 'released' || upload.version !== version) throw new ChangedMeanwhile()
  return (await openFiles(ctx, upload.id)).files
}

/** Throws unless the actor may still read what is being sent. */
export async function requireReadable(ctx: UserCtx, sending: readonly Sending[]): Promise<void> {
  for (const { uploadId, fileIds } of sending) {
    const visible = new Set((await getFiles(ctx, uploadId)).files.map(({ id }) => id))
    if (fileIds.some((id) => !visible.has(id))) throw notFound('file')
  }
}
