import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalidState, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { canAcknowledgeRecalls } from '../uploads.access.ts'
import { type OwnRecall, withReplacements } from './list-recalls.ts'
import { announceRecall } from './recall-upload.ts'
import { selectOwnRecall, updateAcknowledged } from './recalls.db.ts'

/** How long an acknowledged recall stays in the inbox, for the colleagues. */
const SHOWN_AFTERWARDS_MS = 7 * 24 * 3_600_000

/**
 * Records that the institution knows that a result is not valid any more, by whom and when. Throws NOT_FOUND for a recall
 * of another institution, and CONFLICT if a colleague has acknowledged it.
 */
export function acknowledgeRecall(ctx: UserCtx, id: string): Promise<OwnRecall> {
  if (!canAcknowledgeRecalls(ctx.actor)) throw forbidden('acknowledge recall')
  return inTransaction(ctx, async (tx) => {
    const find = async () => (isId(id) ? selectOwnRecall(tx.db, tx.actor.institutionIds, id) : undefined)
    const recall = await find()
    if (!recall) throw notFound('recall')
    const shownUntil = new Date(tx.now.getTime() + SHOWN_AFTERWARDS_MS)
    if (!(await updateAcknowledged(tx.db, id, { userId: tx.actor.id, now: tx.now, shownUntil })))
      throw invalidState('already acknowledged', 'Un coleg a luat deja la cunoștință.')
    const { upload_id: uploadId, institution_id: institutionId, patient_id: patientId } = recall
    await recordAudit(tx, {
      action: 'recall.acknowledge',
      subject: { type: 'upload', id: uploadId },
      patientId,
    })
    await announceRecall(tx, { uploadId, institutionId })
    const [acknowledged] = await withReplacements(tx, [(await find()) ?? recall])
    return acknowledged!
  })
}
