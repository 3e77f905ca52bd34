import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { findOwnUploads } from '../../uploads/list-uploads.ts'
import { canCreateUploads } from '../../uploads/uploads.access.ts'
import type { UploadRow } from '../../uploads/uploads.db.ts'
import { loadIsDisagreeing } from '../reviews.loaders.ts'

/** Why an upload needs its author. */
export const OWN_NOTICES = ['rejected', 'quarantined', 'unassigned', 'disagrees'] as const
export type OwnNotice = { upload: UploadRow; why: (typeof OWN_NOTICES)[number] }

/** Notices of each of the two kinds: what came back, and what waits for its review with another person's name. */
const MAX_NOTICES = 100

/** Returns which of the actor's uploads need the actor. */
export async function listOwnNotices(ctx: UserCtx): Promise<OwnNotice[]> {
  if (!canCreateUploads(ctx.actor)) throw forbidden('list own notices')
  const returned = await findOwnUploads(ctx, ['rejected', 'quarantined', 'unassigned'], MAX_NOTICES)
  const waiting = await findOwnUploads(ctx, ['in_review'], MAX_NOTICES)
  const disagreeing = await Promise.all(waiting.map((upload) => loadIsDisagreeing(ctx, upload)))
  return [
    ...returned.map((upload) => ({ upload, why: upload.state as OwnNotice['why'] })),
    ...waiting
      .filter((_, index) => disagreeing[index])
      .map((upload) => ({ upload, why: 'disagrees' as const })),
  ]
}
