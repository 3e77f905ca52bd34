import type { Ctx } from '../../context.ts'
import type { AuditEntry } from '../audit/record-audit.ts'
import { scheduleRelease } from '../uploads/change-locked-upload.ts'
import type { Clearance } from '../uploads/clearance.ts'
import { moveCleared } from '../uploads/move-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { policyOf } from './policy.ts'
import { releaseCleared } from './release-cleared.ts'

const HOUR_MS = 3_600_000

/**
 * Accepts the upload, which the caller's transaction has locked, and applies its category's current release policy:
 * releases it now, or at `undoUntil` if the verdict can be undone, schedules its release, or leaves the release to a
 * reviewer. `changes`: further changes for the audit log.
 */
export async function applyReleasePolicy(
  tx: Ctx,
  upload: UploadRow,
  clearance: Clearance,
  { undoUntil = null, changes = {} }: { undoUntil?: Date | null; changes?: AuditEntry['changes'] } = {},
): Promise<void> {
  const { id } = upload
  const releaseAt = releaseTime(upload, tx.now, undoUntil)
  await moveCleared(tx, id, { to: 'accepted', clearance }, 'upload.accept', {
    ...changes,
    ...(releaseAt && { release_at: { to: releaseAt.toISOString() } }),
  })
  if (releaseAt) await scheduleRelease(tx, id, releaseAt)
  else if (policyOf(upload).release === 'at_once') await releaseCleared(tx, upload, clearance)
}

/** Returns when the product releases the upload; null: with the acceptance, or never. */
function releaseTime(upload: UploadRow, now: Date, undoUntil: Date | null): Date | null {
  const { release, releaseHours } = policyOf(upload)
  if (release === 'at_once') return undoUntil
  return release === 'after_hours' && releaseHours ? new Date(now.getTime() + releaseHours * HOUR_MS) : null
}
