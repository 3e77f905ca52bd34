import { type Actor, type Ctx, type UserCtx, withSending } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { canSend, scopeToChange, uploadScope } from './uploads.access.ts'
import { isSent, lockUploads, selectUpload, selectUploadsByIds, type UploadRow } from './uploads.db.ts'
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

/** Returns an upload that the actor may change. Throws NOT_FOUND if there is none. */
export async function getChangeableUpload(ctx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await selectChangeable(ctx, id)
  if (!upload) throw notFound('upload')
  return upload
}

/** Returns those of the uploads that the actor may change, in the order of the ids. Writes no audit row. */
export async function findChangeableUploads(
  { actor, db }: Ctx,
  ids: readonly string[],
): Promise<UploadRow[]> {
  if (ids.length === 0) return []
  const rows = await selectUploadsByIds(db, scopeToChange(actor), ids, readerOf(actor))
  const found = new Map(rows.map((upload) => [upload.id, upload]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

/**
 * Whether the user of an institution may know what becomes of the upload: it was sent for one of their institutions, and
 * submitted unless by themselves.
 */
export const mayFollowSent = async (ctx: UserCtx, id: string): Promise<boolean> =>
  canSend(ctx.actor) &&
  isSent(withSending(ctx).db, id, {
    userId: ctx.actor.id,
    institutionIds: ctx.actor.sendingInstitutionIds,
  })

const selectChangeable = async ({ db, actor }: Ctx, id: string): Promise<UploadRow | undefined> =>
  isId(id) ? selectUpload(db, scopeToChange(actor), id, readerOf(actor)) : undefined

/**
 * Locks the upload and the versions before it until the transaction ends and returns it; undefined if the actor may not
 * change it or the id is unknown. It is locked before it is read, so that the state that the caller checks still applies
 * when the change is made; a user who opens one of the versions meanwhile waits for the change.
 */
export async function findUploadToChange(tx: Ctx, id: string): Promise<UploadRow | undefined> {
  if (isId(id)) await lockUploads(tx.db, versionsUpTo(id))
  return selectChangeable(tx, id)
}

/** Locks the upload and returns it. Throws NOT_FOUND if the actor may not change it or the id is unknown. */
export async function getUploadToChange(tx: Ctx, id: string): Promise<UploadRow> {
  const upload = await findUploadToChange(tx, id)
  if (!upload) throw notFound('upload')
  return upload
}
