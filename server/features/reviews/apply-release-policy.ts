import type { Ctx } from '../../context.ts'
import type { AuditEntry } from '../audit/record-audit.ts'
import { scheduleRelease } from '../uploads/change-locked-upload.ts'
import { moveUpload } from '../uploads/move-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { policyOf } from './policy.ts'

const HOUR_MS = 3_600_000

/**
 * Accepts the upload, which the caller's transaction has locked, and applies its category's current release
 * policy: releases it now, schedules its release, or leaves the release to a reviewer. `more`: further
 * changes for the audit log.
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
