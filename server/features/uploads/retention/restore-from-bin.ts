import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { allowLongStatements } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { publishUpload } from '../publish-upload.ts'
import { updateNotPastTermFromBin } from './retention.db.ts'

/**
 * The first part of the job `upload.expire`: what went to the bin and is by today's settings not past its term comes back, so
 * that a term set by mistake is mended by mending it. Only that job puts anything into the bin.
 */
export function restoreFromBin(ctx: Ctx<SystemActor>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    // All that went in a month may come back at once.
    await allowLongStatements(tx.db)
    const { retention_years: years } = await findSite(tx.db)
    const back = await updateNotPastTermFromBin(tx.db, tx.now, years)
    for (const upload of back) {
      await recordAudit(tx, {
        action: 'upload.unexpire',
        subject: { type: 'upload', id: upload.id },
        patientId: upload.patient_id,
      })
      await publishUpload(tx, upload)
    }
    if (back.length > 0)
      tx.services.log.info('upload: taken out of the bin, not past their term', { count: back.length })
  })
}
