import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { isFinal } from '../../../shared/uploads/upload-states.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalidState } from '../../errors.ts'
import { parseInput, requiredText } from '../../validation.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { blockCategorySaves } from '../categories/find-category.ts'
import { askFormerInstitutions } from '../incidents/ask-former-institutions.ts'
import { blockMerges } from '../patients/merge-lock.ts'
import { changeDetails, detailsOf } from '../uploads/change-locked-upload.ts'
import { getChangedUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { moveUpload } from '../uploads/move-upload.ts'
import { notifyUploadChanged } from '../uploads/notify-upload-changed.ts'
import { forgetOpenings } from '../uploads/released/openings.ts'
import { readUploadInput } from '../uploads/upload-input.ts'
import { canCorrect, canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFollowing } from '../uploads/versions/find-versions.ts'
import { policyOf } from './policy.ts'
import { selectLastVerdict } from './reviews.db.ts'

const FIELDS = [
  'institution_id',
  'category_slug',
  'title',
  'examined_on',
  'accession_number',
  'referring_doctor',
] as const

const schema = z.object({ reason: requiredText('Motivul', LIMITS.shortText) })

/**
 * Corrects the details of an upload that is accepted or was released, except its patient, with a reason for the audit
 * log; for reviewers. It returns to review, and its institution no longer sees it, if `needsReview` says so; another
 * institution may open an incident (`askFormerInstitutions`). Throws CONFLICT in any other state and BAD_USER_INPUT by
 * the same rules as before the verdict.
 */
export async function correctUpload(
  ctx: UserCtx,
  { id, version, upload: input, ...more }: { id: string; version: number; upload: object; reason: string },
): Promise<UploadRow> {
  if (!canReview(ctx.actor)) throw forbidden('correct upload')
  const { reason } = parseInput(schema, more)
  return inTransaction(ctx, async (tx) => {
    await blockCategorySaves(tx)
    await blockMerges(tx)
    const before = await getUploadToChange(tx, id)
    if (before.version !== version) throw conflict('upload')
    if (!canCorrect(tx.actor, before))
      throw invalidState('not accepted', 'Se corectează doar o încărcare acceptată sau eliberată.')
    const kept = { patientId: before.patient_id, note: before.note }
    const values = await readUploadInput(tx, { ...input, ...kept }, before)
    const changes = listChanges({ ...before }, { ...before, ...values }, FIELDS)
    if (Object.keys(changes).length === 0) throw invalidState('nothing corrected', 'Nu ai schimbat nimic.')

    if (changes.institution_id) {
      const institutionId = values.institution_id
      await askFormerInstitutions(tx, before, { institutionId, reason, movedBy: tx.actor.id })
      await forgetOpenings(tx, before)
      await correctWaitingVersion(tx, before, institutionId, reason)
    }
    await changeDetails(tx, before, values)
    await recordAudit(tx, {
      action: 'upload.correct',
      subject: { type: 'upload', id },
      patientId: before.patient_id,
      changes: { ...changes, reason: { to: reason } },
    })
    const after = await getChangedUpload(tx, id)
    const returns = await returnsToReview(tx, before, after)
    if (returns) await moveUpload(tx, id, 'in_review', 'upload.return', { reason: { to: reason } })
    // Also notifies the pages of the former institution, which drop the upload.
    await notifyUploadChanged(tx, before, { isRevoked: returns && before.state === 'released' })
    await notifyUploadChanged(tx, after)
    return getChangedUpload(tx, id)
  })
}

/**
 * Gives the new version that waits for its release the other institution too: it would show the result to the former
 * one again. Its acceptance counts no more.
 */
async function correctWaitingVersion(
  tx: UserCtx,
  former: UploadRow,
  institution_id: string | null,
  reason: string,
): Promise<void> {
  const following = await findFollowing(tx, former)
  if (!following || isFinal(following.state) || following.institution_id !== former.institution_id) return
  const { id } = following
  if (following.state === 'accepted')
    await moveUpload(tx, id, 'in_review', 'upload.return', { reason: { to: reason } })
  const before = await getChangedUpload(tx, id)
  const values = { ...detailsOf(before), institution_id }
  await changeDetails(tx, before, values)
  await recordAudit(tx, {
    action: 'upload.correct',
    subject: { type: 'upload', id },
    patientId: before.patient_id,
    changes: { ...listChanges({ ...before }, { ...before, ...values }, FIELDS), reason: { to: reason } },
  })
  await notifyUploadChanged(tx, { id, ...values })
}

/** Whether the correction of an upload returns it to review. */
export const returnsToReview = async (ctx: UserCtx, before: UploadRow, after: UploadRow): Promise<boolean> =>
  (before.state === 'accepted' || before.state === 'released') && (await needsReview(ctx, before, after))

/**
 * Whether the corrected upload needs its verdict again: another institution would see what no reviewer has released to
 * it, or the new category may require more than the upload has had. It keeps its release only in a category that asks
 * for one reviewer and releases at once, and unless a person has accepted it, for none.
 */
async function needsReview({ db }: UserCtx, before: UploadRow, after: UploadRow): Promise<boolean> {
  if (before.institution_id !== after.institution_id) return true
  if (before.category_slug === after.category_slug) return false
  const { reviewRequired, reviewers, release } = policyOf(after)
  if (before.state === 'accepted' || reviewers > 1 || release !== 'at_once') return true
  const verdict = await selectLastVerdict(db, after.id)
  return reviewRequired && !verdict?.reviewer_id
}
