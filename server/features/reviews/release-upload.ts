import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { getUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { moveUpload } from '../uploads/move-upload.ts'
import { canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canRelease } from './can-release.ts'
import { releaseCleared } from './release-cleared.ts'

type Decided = { id: string; version: number }

/**
 * Locks an accepted upload for a reviewer. Throws FORBIDDEN without the review permission, CONFLICT on
 * another version and CONFLICT if the upload does not wait for its release.
 */
async function getAccepted(tx: UserCtx, { id, version }: Decided): Promise<UploadRow> {
  if (!canReview(tx.actor)) throw forbidden('release upload')
  const upload = await getUploadToChange(tx, id)
  if (upload.version !== version) throw conflict('upload')
  if (upload.state !== 'accepted') throw invalidState('not accepted', 'Încărcarea nu așteaptă eliberarea.')
  return upload
}

/** Why the gate does not release an upload that was accepted before. */
export const HELD_MESSAGE =
  'De când a fost acceptată, un fișier nu se mai potrivește cu pacientul. Trimite încărcarea înapoi la verificare.'

/** Releases an accepted upload, before its time or where its category leaves the release to a reviewer. */
export function releaseUpload(ctx: UserCtx, decided: Decided): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const upload = await getAccepted(tx, decided)
    const { clearance, obstacle } = await canRelease(tx, upload, { by: 'release' })
    if (obstacle) throw invalidState('not releasable', obstacle)
    if (!clearance) throw invalidState('files no longer agree with the patient', HELD_MESSAGE)
    await releaseCleared(tx, upload, clearance)
    return getUpload(tx, upload.id)
  })
}

/**
 * Returns an accepted upload to review before its release. It then needs all its acceptances again, by a
 * person.
 */
export function returnUpload(ctx: UserCtx, decided: Decided): Promise<UploadRow> {
  return inTransaction(ctx, async (tx) => {
    const { id } = await getAccepted(tx, decided)
    await moveUpload(tx, id, 'in_review', 'upload.return')
    return getUpload(tx, id)
  })
}
