import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { allowLongStatements } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { updateNotPastRetentionFromBin } from './retention.db.ts'

/**
 * Restores uploads from the bin that are not past their retention by the current settings, so that correcting
 * a wrong setting undoes its effect. Only `expireUploads` moves uploads to the bin.
 */
export function restoreFromBin(ctx: Ctx<SystemActor>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    // A month's uploads may be restored in one statement.
    await allowLongStatements(tx.db)
    const { retention_years: years } = await findSite(tx.db)
    const restored = await updateNotPastRetentionFromBin(tx.db, tx.now, years)
    for (const upload of restored) {
      await recordAudit(tx, {
        action: 'upload.unexpire',
        subject: { type: 'upload', id: upload.id },
        patientId: upload.patient_id,
      })
      await notifyUploadChanged(tx, upload)
    }
    if (restored.length > 0)
      tx.services.log.info('upload: restored from the bin, not past their retention', {
        count: restored.length,
      })
  })
}
