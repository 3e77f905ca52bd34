import { z } from 'zod'
import {
  OWN_UPLOAD_MESSAGE,
  REJECTION_MESSAGES,
  REJECTION_REASONS,
} from '../../../shared/uploads/upload-states.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid, invalidState, UserError } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { optionalNote, parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { raiseUploadVersion } from '../uploads/change-locked-upload.ts'
import { getUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import { moveUpload, requireLegalMove } from '../uploads/move-upload.ts'
import { canAccept, canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { applyReleasePolicy } from './apply-release-policy.ts'
import { findMismatches } from './cross-check.ts'
import { policyOf, requireOtherReviewer } from './policy.ts'
import { hasAcceptedBefore, insertReview } from './reviews.db.ts'

/**
 * Locks the upload for a verdict. Throws FORBIDDEN without the review permission and CONFLICT unless
 * `version` is the current one: an upload moved to another patient must not be decided by a verdict given for
 * the former patient.
 */
async function getForDecision(tx: UserCtx, id: string, version: number): Promise<UploadRow> {
  if (!canReview(tx.actor)) throw forbidden('review upload')
  const upload = await getUploadToChange(tx, id)
  if (upload.version !== version) throw conflict('upload')
  return upload
}

/**
 * Accepts an upload and applies its category's release policy; a release shows it to its institution. Where
 * the category requires two reviewers, the first acceptance leaves the upload in review for a second person.
 * Throws FORBIDDEN for the reviewer's own upload, unless the site allows it, and BAD_USER_INPUT if a file has another person's CNP and no reason is given; the reason is saved with
 * the verdict.
 */
export async function acceptUpload(
  ctx: UserCtx,
  { id, version, ...input }: { id: string; version: number; mismatchReason?: string | null | undefined },
): Promise<UploadRow> {
  const { mismatchReason } = parseInput(acceptance, input)
  return inTransaction(ctx, async (tx) => {
    const upload = await getForDecision(tx, id, version)
    if (upload.patient_id === null) throw invalidState('no patient', 'Alege întâi pacientul.')
    // A first of two acceptances does not change the state, so `moveUpload` does not check it.
    requireLegalMove(upload.state, 'accepted')
    if (!canAccept(tx.actor, upload)) throw ownUpload()
    requireOtherReviewer(upload, tx.actor.id, await hasAcceptedBefore(tx.db, id, tx.actor.id, version))
    const files = await findCnpsOfFiles(tx, id)
    if (files.length === 0) throw invalidState('no files', 'Încărcarea nu mai are niciun fișier.')
    const mismatches = findMismatches(upload.patient_cnp, files)
    if (mismatches.length > 0 && !mismatchReason) {
      throw invalid([
        {
          field: 'mismatchReason',
          message:
            'Un fișier conține CNP-ul altei persoane. Schimbă pacientul sau scrie de ce este corect așa.',
        },
      ])
    }
    const isFirst = policyOf(upload).reviewers > 1 && !upload.first_reviewer_id
    await insertReview(tx.db, {
      id: newId(),
      upload_id: id,
      reviewer_id: tx.actor.id,
      verdict: 'accepted',
      reason_code: null,
      comment: mismatches.length > 0 ? mismatchReason : null,
      checks: JSON.stringify(mismatches),
      first_of_version: isFirst ? version + 1 : null,
    })
    if (isFirst) await recordFirstAcceptance(tx, upload)
    else await applyReleasePolicy(tx, upload)
    return getUpload(tx, id)
  })
}

const ownUpload = () =>
  new UserError('FORBIDDEN', 'not allowed: accept own upload', `${OWN_UPLOAD_MESSAGE}.`, {
    denied: 'accept own upload',
  })

/**
 * Records the first of two acceptances. It changes the version, so that verdicts on the former version are
 * rejected.
 */
async function recordFirstAcceptance(tx: UserCtx, upload: UploadRow): Promise<void> {
  const { id, patient_id: patientId } = upload
  await recordAudit(tx, { action: 'upload.accept-first', subject: { type: 'upload', id }, patientId })
  await raiseUploadVersion(tx, upload)
}

const acceptance = z.object({ mismatchReason: optionalNote('Motivul') })

const rejection = z.object({
  reason: z.enum(REJECTION_REASONS, {
    error: REJECTION_MESSAGES.reason,
  }),
  comment: optionalNote('Comentariul'),
})

/** Sends an upload back with a reason; the reason `other` requires a comment. */
export async function rejectUpload(
  ctx: UserCtx,
  {
    id,
    version,
    ...input
  }: { id: string; version: number; reason: string; comment?: string | null | undefined },
): Promise<UploadRow> {
  const { reason, comment } = parseInput(rejection, input)
  if (reason === 'other' && !comment)
    throw invalid([{ field: 'comment', message: REJECTION_MESSAGES.comment }])
  return inTransaction(ctx, async (tx) => {
    await getForDecision(tx, id, version)
    await insertReview(tx.db, {
      id: newId(),
      upload_id: id,
      reviewer_id: tx.actor.id,
      verdict: 'rejected',
      reason_code: reason,
      comment,
      checks: '[]',
      first_of_version: null,
    })
    await moveUpload(tx, id, 'rejected', 'upload.reject')
    return getUpload(tx, id)
  })
}
