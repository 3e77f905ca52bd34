import { counted } from '../../../shared/romania/romanian.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { invalid, invalidState, notFound } from '../../errors.ts'
import { findSite } from '../site/find-site.ts'
import { groupLater } from '../uploads/drafts/group-later.ts'
import { joinDrafts, lockDrafts, splitDraft } from '../uploads/drafts/join-drafts.ts'
import { noFiles } from '../uploads/drafts/move-files.ts'
import { getUpload } from '../uploads/find-upload.ts'
import { changedState } from '../uploads/move-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFiles } from '../uploads/uploads.loaders.ts'
import { getOwnGroup } from './accept-group.ts'
import { lockBatch } from './batches.db.ts'

type Input = { uploadId: string; fileIds: readonly string[]; toUploadId?: string | null | undefined }

/**
 * Moves files of a group to another group of the batch, or to a new one, for its author. Returns the group that has them now;
 * a group without files is withdrawn. Throws CONFLICT if either was submitted meanwhile, or would have too many files.
 */
export async function regroupFiles(
  ctx: UserCtx,
  { uploadId, fileIds, toUploadId }: Input,
): Promise<UploadRow> {
  const ids = new Set(fileIds)
  return inTransaction(ctx, async (tx) => {
    const from = await getOpenGroup(tx, uploadId)
    await lockBatch(tx.db, from.batch_id!)
    const to = toUploadId ? await getOpenGroup(tx, toUploadId) : null
    if (to && (to.batch_id !== from.batch_id || to.id === from.id)) throw notFound('group')
    await lockDrafts(tx, to ? [from, to] : [from])
    const files = await findFiles(tx, from.id)
    const moved = files.filter(({ id }) => ids.has(id)).map(({ id }) => id)
    if (ids.size === 0) throw noFiles()
    if (moved.length < ids.size) throw notFound('file')
    if (!to && moved.length === files.length)
      throw invalid([{ field: 'fileIds', message: 'Fișierele sunt deja un grup.' }])
    if (to) await requireRoom(tx, to, moved.length)
    const target = to ?? (await splitDraft(tx, from, moved))
    if (to) await joinDrafts(tx, { from, to, fileIds: moved })
    await groupLater(tx, from)
    await groupLater(tx, target)
    return getUpload(tx, target.id)
  })
}

/** Returns a group for a change of what it has, by its author. Throws CONFLICT if it was submitted. */
export async function getOpenGroup(tx: UserCtx, id: string): Promise<UploadRow> {
  const group = await getOwnGroup(tx, id)
  if (group.state !== 'receiving') throw changedState(group.state, 'change group')
  return group
}

async function requireRoom(tx: UserCtx, { file_count }: UploadRow, added: number): Promise<void> {
  const { upload_files } = await findSite(tx.db)
  if ((file_count ?? 0) + added <= upload_files) return
  throw invalidState(
    'too many files',
    `O încărcare are cel mult ${counted(upload_files, 'fișier', 'fișiere')}.`,
  )
}
