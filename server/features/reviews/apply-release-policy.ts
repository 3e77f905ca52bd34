import type { Ctx } from '../../context.ts'
import type { AuditEntry } from '../audit/record-audit.ts'
import { moveUpload } from '../uploads/move-upload.ts'
import { scheduleRelease } from '../uploads/touch-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { policyOf } from './policy.ts'

const HOUR_MS = 3_600_000

/**
 * What follows when an upload, which the transaction holds locked, is accepted for good: it is released now, in some
 * hours, or when a reviewer releases it, as its category says at this moment. `more`: for the journal.
 */
export async function applyReleasePolicy(
  tx: Ctx,
  upload: UploadRow,
  more: AuditEntry['changes'] = {},
): Promise<void> {
  const { release, releaseHours } = policyOf(upload)
  const releaseAt =
    release === 'after_hours' && releaseHours ? new Date(tx.now.getTime() + releaseHours * HOUR_MS) : null
  await moveUpload(tx, upload.id, 'accepted', 'upload.accept', {
    ...more,
    ...(releaseAt && { release_at: { to: releaseAt.toISOString() } }),
  })
  if (releaseAt) await scheduleRelease(tx, upload.id, releaseAt)
  if (release === 'at_once') await moveUpload(tx, upload.id, 'released', 'upload.release')
}
