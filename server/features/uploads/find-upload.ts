import type { Ctx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { uploadScope } from './uploads.access.ts'
import { lockUpload, selectUpload, type UploadRow } from './uploads.db.ts'

/** The upload, for whoever may see it; undefined for anybody else and for an unknown id alike. Leaves no trace. */
export async function findUpload(ctx: Ctx, id: string): Promise<UploadRow | undefined> {
  const readerId = ctx.actor.kind === 'user' ? ctx.actor.id : null
  return isId(id) ? selectUpload(ctx.db, uploadScope(ctx.actor), id, readerId) : undefined
}

/** The same, refusing where there is nothing to see. */
export async function getUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx, id)
  if (!upload) throw notFound('upload')
  return upload
}

/**
 * Locks the upload until the transaction ends and returns it, for a verb that changes it; undefined as in `findUpload`. It is
 * locked before it is read, so that the state that the verb checks is still true when the change is made.
 */
export async function findUploadToChange(tx: Ctx, id: string): Promise<UploadRow | undefined> {
  if (isId(id)) await lockUpload(tx.db, id)
  return findUpload(tx, id)
}

/** Locks the upload and returns it. Throws NOT_FOUND where the actor may not see it. */
export async function getUploadToChange(tx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUploadToChange(tx, id)
  if (!upload) throw notFound('upload')
  return upload
}
