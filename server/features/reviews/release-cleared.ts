import type { Ctx } from '../../context.ts'
import { askFormerInstitutions } from '../incidents/ask-former-institutions.ts'
import type { Clearance } from '../uploads/clearance.ts'
import { moveCleared } from '../uploads/move-upload.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { selectLastVerdict } from './reviews.db.ts'

/**
 * Releases an upload that the gate has cleared in this transaction. A new version for another institution takes the
 * result away from those that had the former ones.
 */
export async function releaseCleared(tx: Ctx, upload: UploadRow, clearance: Clearance): Promise<void> {
  if (upload.replaces_id !== null) await askFormer(tx, upload)
  await moveCleared(tx, upload.id, { to: 'released', clearance }, 'upload.release')
}

/** Before the former version is replaced, which is a recall only for institutions that were not asked to delete it. */
async function askFormer(tx: Ctx, upload: UploadRow): Promise<void> {
  const verdict = await selectLastVerdict(tx.db, upload.id)
  await askFormerInstitutions(tx, upload, {
    institutionId: upload.institution_id,
    reason: `Versiunea nouă, nr. ${upload.number}, este pentru altă instituție.`,
    // No policy accepts a new version, so that its verdict is that of a person. A program sends no new versions.
    movedBy: (verdict?.reviewer_id ?? upload.created_by)!,
  })
}
