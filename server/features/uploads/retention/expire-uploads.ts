import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { allowLongStatements } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { stopSharing } from '../shares/stop-sharing.ts'
import { countPastRetention, updatePastRetentionToBin } from './retention.db.ts'

/**
 * Limits for one night, above which the settings or the clock are taken to be wrong: a number of uploads, and
 * a share of all uploads, which is not applied up to `few`.
 */
const MAX_EXPIRED = { uploads: 1_000, share: 0.05, few: 20 }

class TooManyExpired extends Error {
  readonly due: number
  readonly live: number
  constructor(due: number, live: number) {
    super('too many uploads past their retention')
    this.due = due
    this.live = live
  }
}

/**
 * Moves uploads released longer ago than their retention to the bin, where their files stay for a while
 * (`removeExpiredFiles`) and which they leave when the retention becomes longer (`restoreFromBin`). If too
 * many are due at once, none is moved and a failed row in the audit log informs the administrators.
 */
export async function expireUploads(ctx: Ctx<SystemActor>): Promise<void> {
  try {
    await inTransaction(ctx, moveToBin)
  } catch (error) {
    if (!(error instanceof TooManyExpired)) throw error
    const { due, live } = error
    ctx.services.log.error('upload: too many past their retention at once, none moved to the bin', {
      due,
      live,
    })
    await recordAudit(ctx, {
      action: 'upload.expire',
      outcome: 'failed',
      changes: {
        uploads: { to: due },
        reason: { to: `Prea multe deodată, din ${live}: niciuna nu a fost mutată.` },
      },
    })
  }
}

async function moveToBin(tx: Ctx<SystemActor>): Promise<void> {
  // One statement moves them all and may take longer than the usual limit.
  await allowLongStatements(tx.db)
  const { retention_years: years } = await findSite(tx.db)
  const { due, live } = await countPastRetention(tx.db, tx.now, years)
  if (due === 0) return
  assertSafeCount(due, live)
  const expired = await updatePastRetentionToBin(tx.db, tx.now, years)
  // Settings and uploads may have changed since the count, which only avoids a large update that would be
  // rolled back.
  assertSafeCount(expired.length, live)
  for (const upload of expired) {
    await recordAudit(tx, {
      action: 'upload.expire',
      subject: { type: 'upload', id: upload.id },
      patientId: upload.patient_id,
    })
    if (upload.state === 'released') await stopSharing(tx, upload)
    await notifyUploadChanged(tx, upload, { isRevoked: upload.state === 'released' })
  }
  tx.services.log.info('upload: moved to the bin, past their retention', { count: expired.length })
}

/** Throws TooManyExpired, which rolls the transaction back. */
function assertSafeCount(due: number, live: number): void {
  if (due > MAX_EXPIRED.uploads || due > Math.max(MAX_EXPIRED.few, live * MAX_EXPIRED.share))
    throw new TooManyExpired(due, live)
}
