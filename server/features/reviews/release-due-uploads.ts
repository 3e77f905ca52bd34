import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { errorFields } from '../../platform/log.ts'
import { findUploadToChange } from '../uploads/find-upload.ts'
import { moveUpload } from '../uploads/move-upload.ts'
import { canRelease } from './can-release.ts'
import { releaseCleared } from './release-cleared.ts'
import { selectDueForRelease } from './reviews.db.ts'

const REASON = 'De când a fost acceptată, un fișier nu se mai potrivește cu pacientul.'

/**
 * Releases the accepted uploads whose release time has come. Each upload is rechecked in its own transaction:
 * one that was released or sent back since is left alone, and one that no longer agrees with its patient
 * returns to review. An upload that fails does not stop the others and is retried a minute later.
 */
export async function releaseDueUploads(ctx: Ctx<SystemActor>): Promise<void> {
  for (const { id } of await selectDueForRelease(ctx.db, ctx.now)) {
    await inTransaction(ctx, (tx) => releaseIfDue(tx, id)).catch((error: unknown) =>
      ctx.services.log.error('upload: scheduled release failed', { upload: id, ...errorFields(error) }),
    )
  }
}

async function releaseIfDue(tx: Ctx, id: string): Promise<void> {
  const upload = await findUploadToChange(tx, id)
  if (upload?.state !== 'accepted' || !upload.release_at || upload.release_at > tx.now) return
  const { clearance, obstacle } = await canRelease(tx, upload, { by: 'release' })
  if (clearance) await releaseCleared(tx, upload, clearance)
  else await moveUpload(tx, id, 'in_review', 'upload.return', { reason: { to: obstacle ?? REASON } })
}
