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
 * The same for a verb that changes it, locked until the transaction ends: locked first and read then, so that what the
 * verb's rights and the state are judged by is still true when the change is made.
 */
export async function getUploadToChange(tx: Ctx, id: string): Promise<UploadRow> {
  if (isId(id)) await lockUpload(tx.db, id)
  return getUpload(tx, id)
}
