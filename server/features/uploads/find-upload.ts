import type { Actor, Ctx, UserCtx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { uploadScope } from './uploads.access.ts'
import { lockUploads, selectUpload, selectUploadsByIds, type UploadRow } from './uploads.db.ts'
import { versionsUpTo } from './versions/versions.db.ts'

/**
 * Returns the upload, or undefined if the actor may not read it or the id is unknown. Writes no audit row.
 */
export async function findUpload(ctx: Ctx, id: string): Promise<UploadRow | undefined> {
  return isId(id) ? selectUpload(ctx.db, uploadScope(ctx.actor), id, readerOf(ctx.actor)) : undefined
}

/** Returns those of the uploads that the actor may read. Writes no audit row. */
export const findUploads = async ({ actor, db }: Ctx, ids: readonly string[]): Promise<UploadRow[]> =>
  ids.length === 0 ? [] : selectUploadsByIds(db, uploadScope(actor), ids, readerOf(actor))

const readerOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.id : null)

/** Returns the upload. Throws NOT_FOUND if the actor may not read it or the id is unknown. */
export async function getUpload(ctx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUpload(ctx, id)
  if (!upload) throw notFound('upload')
  return upload
}

/**
 * Returns an upload that the actor has just changed, also if the change has taken it out of what the actor may
 * read.
 */
export async function getChangedUpload(tx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await selectUpload(tx.db, { kind: 'all' }, id, tx.actor.id)
  if (!upload) throw notFound('upload')
  return upload
}

/**
 * Locks the upload and the versions before it until the transaction ends and returns it; undefined if the actor may not
 * read it or the id is unknown. It is locked before it is read, so that the state that the caller checks still applies
 * when the change is made; a user who opens one of the versions meanwhile waits for the change.
 */
export async function findUploadToChange(tx: Ctx, id: string): Promise<UploadRow | undefined> {
  if (isId(id)) await lockUploads(tx.db, versionsUpTo(id))
  return findUpload(tx, id)
}

/** Locks the upload and returns it. Throws NOT_FOUND if the actor may not read it or the id is unknown. */
export async function getUploadToChange(tx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUploadToChange(tx, id)
  if (!upload) throw notFound('upload')
  return upload
}
