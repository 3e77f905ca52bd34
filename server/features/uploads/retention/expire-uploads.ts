import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { allowLongStatements } from '../../../platform/database/database.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { publishUpload } from '../publish-upload.ts'
import { countPastTerm, updatePastTermToBin } from './retention.db.ts'

/**
 * More than this in one night is taken for a mistake in the settings or of the clock: more than this many, or more than this
 * part of everything, which in a small house is a few.
 */
const MAX_EXPIRED = { uploads: 1_000, share: 0.05, few: 20 }

class TooManyExpired extends Error {
  readonly due: number
  readonly live: number
  constructor(due: number, live: number) {
    super('too many past their term')
    this.due = due
    this.live = live
  }
}

/**
 * A part of the job `upload.expire`: what was released longer ago than its category or the site keeps it goes to the bin,
 * where its files stay for a while (`removeExpiredFiles`) and which it leaves again when the term becomes longer
 * (`restoreFromBin`). Where too much would go at once nothing goes, and administrators find that in the journal.
 */
export async function expireUploads(ctx: Ctx<SystemActor>): Promise<void> {
  try {
    await inTransaction(ctx, moveToBin)
  } catch (error) {
    if (!(error instanceof TooManyExpired)) throw error
    const { due, live } = error
    ctx.services.log.error('upload: too many past their term at once, none was moved to the bin', {
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
  // One statement moves them all, whatever their number.
  await allowLongStatements(tx.db)
  const { retention_years: years } = await findSite(tx.db)
  const { due, live } = await countPastTerm(tx.db, tx.now, years)
  if (due === 0) return
  assertSafeCount(due, live)
  const expired = await updatePastTermToBin(tx.db, tx.now, years)
  // Terms and uploads may have changed since the count; the count only spares a large update that would be undone.
  assertSafeCount(expired.length, live)
  for (const upload of expired) {
    await recordAudit(tx, {
      action: 'upload.expire',
      subject: { type: 'upload', id: upload.id },
      patientId: upload.patient_id,
    })
    await publishUpload(tx, upload, { isRevoked: upload.state === 'released' })
  }
  tx.services.log.info('upload: moved to the bin, past their term', { count: expired.length })
}

/** Throws `TooManyExpired`, which undoes what was moved. */
function assertSafeCount(due: number, live: number): void {
  if (due > MAX_EXPIRED.uploads || due > Math.max(MAX_EXPIRED.few, live * MAX_EXPIRED.share))
    throw new TooManyExpired(due, live)
}
