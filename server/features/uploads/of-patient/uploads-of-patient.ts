import type { Ctx } from '../../../context.ts'
import { moveUpload } from '../move-upload.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { moveSharesToPatient } from '../shares/stop-sharing.ts'
import {
  countUploadsOfPatient,
  lockUploadsOfPatients,
  selectHiddenUploads,
  selectNotShown,
  selectReleasedSince,
  selectShownUploads,
  selectUploadsShownByOther,
  selectUploadsSince,
  updatePatientOfUploads,
} from './uploads-of-patient.db.ts'

export type NumberedUpload = { id: string; number: number }

/**
 * Moves the uploads of a patient, with `ids` only these, to another patient, and returns their ids. Locks the
 * uploads of both first, so that a verdict is given either before or on a new version. The caller has locked
 * merges (`lockMerges`).
 */
export async function moveUploadsToPatient(
  tx: Ctx,
  { from, to, ids = null }: { from: string; to: string; ids?: readonly string[] | null },
): Promise<string[]> {
  const locked = await lockUploadsOfPatients(tx.db, [from, to])
  const moved = await updatePatientOfUploads(tx.db, {
    from,
    to,
    ids: ids ?? locked.map(({ id }) => id),
    now: tx.now,
  })
  await moveSharesToPatient(tx, { from, to, uploadIds: moved.map(({ id }) => id) })
  for (const { id, institution_id } of moved)
    for (const patient_id of [from, to]) await notifyUploadChanged(tx, { id, patient_id, institution_id })
  return moved.map(({ id }) => id)
}

/**
 * Returns uploads of the patients that are for an institution which does not see them: it has no referral, or it
 * ended before the release. At most 20.
 */
export const findHiddenUploads = (tx: Ctx, patientIds: readonly string[]): Promise<NumberedUpload[]> =>
  selectHiddenUploads(tx.db, patientIds)

/** Returns uploads that an institution would see only once the two patients are one, at most 20. */
export const findUploadsShownByOther = (
  tx: Ctx,
  patientIds: readonly [string, string],
): Promise<NumberedUpload[]> => selectUploadsShownByOther(tx.db, patientIds)

/**
 * Runs a change of a referral of the patient from these institutions. No upload of the patient is released
 * meanwhile, open pages drop what is no longer shown, and the result names the uploads that no longer are.
 */
export async function whileReferralChanges(
  tx: Ctx,
  patientId: string,
  institutionIds: readonly string[],
  change: () => Promise<void>,
): Promise<NumberedUpload[]> {
  await lockUploadsOfPatients(tx.db, [patientId])
  const findShown = async () =>
    (
      await Promise.all([...new Set(institutionIds)].map((id) => selectShownUploads(tx.db, patientId, id)))
    ).flat()
  const before = await findShown()
  await change()
  const after = await findShown()
  const lost = before.filter(({ id }) => !after.some((shown) => shown.id === id))
  const gained = after.filter(({ id }) => !before.some((shown) => shown.id === id))
  for (const upload of lost) await notifyUploadChanged(tx, upload, { isRevoked: upload.state === 'released' })
  for (const upload of gained) await notifyUploadChanged(tx, upload)
  return lost
}

export type NotShown = { reason: 'ended' | 'mistaken' | 'missing'; endedOn: string | null }

/**
 * Returns why no referral of the patient shows the upload, which the actor has read, to its institution, or will after its
 * release; null if one does.
 */
export async function findNotShown(ctx: Ctx, { id }: { id: string }): Promise<NotShown | null> {
  const last = await selectNotShown(ctx.db, id)
  if (!last) return null
  if (last.mistaken === null) return { reason: 'missing', endedOn: null }
  return last.mistaken ? { reason: 'mistaken', endedOn: null } : { reason: 'ended', endedOn: last.ended_on }
}

/**
 * Returns to review the uploads of the patients, which the transaction has locked, that were released since: their files
 * were compared with values of both.
 */
export async function returnReleasedSince(
  tx: Ctx,
  patientIds: readonly string[],
  { since, reason }: { since: Date; reason: string },
): Promise<NumberedUpload[]> {
  const released = await selectReleasedSince(tx.db, patientIds, since)
  for (const { id } of released)
    await moveUpload(tx, id, 'in_review', 'upload.return', { reason: { to: reason } })
  return released
}

/** Returns the patient's uploads that were created since, at most 20. */
export const findUploadsSince = (tx: Ctx, patientId: string, since: Date): Promise<NumberedUpload[]> =>
  selectUploadsSince(tx.db, patientId, since)

/** Returns how many uploads the patient has, without those in the bin. The caller checks the permission. */
export const countUploadsOf = async (ctx: Ctx, patientId: string): Promise<number> =>
  (await countUploadsOfPatient(ctx.db, patientId)).count
