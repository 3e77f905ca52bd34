import type { Ctx } from '../../../context.ts'
import { publish } from '../../../platform/events.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import { findUnasked } from '../released/openings.ts'
import { selectAddressesOfOpeners, selectLastMove } from '../released/released.db.ts'
import { releaseTimeOf, wasReleased } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { deleteRecalls, insertRecall, updateReplacement } from './recalls.db.ts'

type Recalled = Pick<
  UploadRow,
  | 'id'
  | 'created_by'
  | 'number'
  | 'state'
  | 'state_since'
  | 'released_at'
  | 'patient_id'
  | 'institution_id'
  | 'title'
  | 'examined_on'
>

/**
 * Writes a recall for each institution whose users had opened a result that this transaction withdraws, or replaces by
 * `replacedBy`, none where the institution was asked to delete it, and a mail to each recipient of a link who had. `upload` is as it was before, and its openings are locked.
 */
export async function recallUpload(tx: Ctx, upload: Recalled, replacedBy: string | null): Promise<void> {
  if (replacedBy !== null) await updateReplacement(tx.db, upload.id, replacedBy)
  if (!wasReleased(upload)) return
  await notifyRecipients(tx, upload.id, replacedBy !== null)
  const openings = await findUnasked(tx, upload)
  for (const [institutionId, opened] of Map.groupBy(openings, (opening) => opening.institutionId)) {
    if (institutionId === null) continue
    await insertRecall(tx.db, {
      id: newId(),
      upload_id: upload.id,
      institution_id: institutionId,
      kind: replacedBy === null ? 'withdrawn' : 'replaced',
      recalled_at: tx.now,
      replaced_by: replacedBy,
      patient_id: upload.patient_id,
      upload_number: upload.number,
      title: upload.title,
      examined_on: upload.examined_on,
      released_at: releaseTimeOf(upload),
      openings: JSON.stringify(opened),
    })
    await recordAudit(tx, {
      action: 'recall.create',
      subject: { type: 'upload', id: upload.id },
      patientId: upload.patient_id,
      changes: { recalled_from: { to: opened[0]?.institutionName } },
    })
    await announceRecall(tx, { uploadId: upload.id, institutionId })
  }
}

/** Queues a mail to each recipient of a share who has opened the result since it was last moved to another patient. */
async function notifyRecipients(tx: Ctx, uploadId: string, isReplaced: boolean): Promise<void> {
  const since = await selectLastMove(tx.db, uploadId)
  for (const { id, email } of await selectAddressesOfOpeners(tx.db, uploadId, since))
    await queueMessage(tx, {
      // Without a name, which may be the patient's.
      to: { name: '', address: email },
      content: { kind: 'share-recalled', isReplaced },
      about: { type: 'share', id },
    })
}

/** Removes the recalls of institutions that are asked to delete the result instead, in the same transaction. */
export async function dropRecalls(
  tx: Ctx,
  uploadId: string,
  institutionIds: readonly string[],
): Promise<void> {
  await deleteRecalls(tx.db, uploadId, institutionIds)
}

/** Notifies the open pages of the institution and of the staff, at commit, that a recall was made or acknowledged. */
export const announceRecall = (
  { db }: Ctx,
  { uploadId, institutionId }: { uploadId: string; institutionId: string },
): Promise<void> => publish(db, { kind: 'recall', uploadId, institutionId })
