import type { Ctx } from '../../../context.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  addToShares,
  endEmptyShares,
  lockSharesOf,
  moveShares,
  removeFromShares,
  selectSharePatients,
} from './shared-uploads.db.ts'

/**
 * Takes a released upload that this transaction withdraws, returns to review, replaces or moves to the bin out of the shares
 * that show it. A new version of the same patient takes its place; a share that has nothing left ends.
 */
export async function stopSharing(
  tx: Ctx,
  upload: { id: string; patient_id: string | null },
  newVersion: { id: string; patient_id: string | null } | null = null,
): Promise<void> {
  await lockSharesOf(tx.db, [upload.id])
  const shareIds = await removeFromShares(tx.db, { uploadIds: [upload.id], now: tx.now })
  if (newVersion && newVersion.patient_id === upload.patient_id)
    await addToShares(tx.db, { uploadId: newVersion.id, shareIds, now: tx.now })
  await recordChange(tx, shareIds)
}

/**
 * Lets the shares follow uploads that a merge of patients, or its undoing, has given to another patient. A share of uploads
 * of both shows only those of its own patient.
 */
export async function moveSharesToPatient(
  tx: Ctx,
  between: { from: string; to: string; uploadIds: readonly string[] },
): Promise<void> {
  const { uploadIds, from: patientId } = between
  await lockSharesOf(tx.db, uploadIds)
  await moveShares(tx.db, between)
  await recordChange(tx, await removeFromShares(tx.db, { uploadIds, patientId, now: tx.now }))
}

/** Ends the shares without an upload, records what has changed and notifies the pages that show them. */
async function recordChange(tx: Ctx, shareIds: readonly string[]): Promise<void> {
  if (shareIds.length === 0) return
  const ended = await endEmptyShares(tx.db, shareIds, tx.now)
  const changed = await selectSharePatients(tx.db, shareIds)
  for (const [shares, action] of [
    [ended, 'share.end'],
    [changed, 'share.change'],
  ] as const)
    for (const { id, patient_id } of shares) {
      await recordAudit(tx, { action, subject: { type: 'share', id }, patientId: patient_id })
      await publish(tx.db, { kind: 'share', id, patientId: patient_id })
    }
}
