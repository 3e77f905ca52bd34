import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { announce } from '../../platform/events.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { countPastTerm, updatePastTermToBin } from './retention.db.ts'

/** More than this in one night, or this part of everything, is taken for a mistake in the settings or of the clock. */
const MOST = { uploads: 1_000, share: 0.05 }

/**
 * A part of the job `upload.expire`: what was released longer ago than its category or the site keeps it goes to the bin,
 * where its files stay for a while (`removeExpiredFiles`). Where too much would go at once nothing goes, and administrators
 * find that in the journal.
 */
export function expireUploads(ctx: Ctx<SystemActor>): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { retention_years: years } = await findSite(tx.db)
    const { due, live } = await countPastTerm(tx.db, tx.now, years)
    if (due === 0) return
    if (due > MOST.uploads || due > live * MOST.share) {
      ctx.log.error('upload: too many past their term at once, none was moved to the bin', { due, live })
      await recordAudit(tx, {
        action: 'upload.expire',
        outcome: 'failed',
        changes: {
          uploads: { to: due },
          reason: { to: `Prea multe deodată, din ${live}: niciuna nu a fost mutată.` },
        },
      })
      return
    }
    const expired = await updatePastTermToBin(tx.db, tx.now, years)
    for (const { id, patient_id: patientId, institution_id: institutionId, state } of expired) {
      await recordAudit(tx, { action: 'upload.expire', subject: { type: 'upload', id }, patientId })
      const isTakenBack = state === 'released'
      await announce(tx.db, { kind: 'upload', id, patientId, institutionId, isTakenBack })
    }
    ctx.log.info('upload: moved to the bin, past their term', { count: expired.length })
  })
}
