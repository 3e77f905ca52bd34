import { z } from 'zod'
import { ACCEPT_MESSAGES, ACCEPT_REASONS } from '../../../shared/reviews/accept-reasons.ts'
import { describeHolds, HOLD_KINDS, type Hold } from '../../../shared/reviews/holds.ts'
import { SETTING_BOUNDS } from '../../../shared/site/setting-bounds.ts'
import { MAX_FACTS } from '../../../shared/uploads/file-facts.ts'
import {
  OWN_UPLOAD_MESSAGE,
  REJECTION_MESSAGES,
  REJECTION_REASONS,
} from '../../../shared/uploads/upload-states.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden, invalid, invalidState, UserError } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { optionalNote, optionalOneOf, optionalText, parseInput } from '../../validation.ts'
import { type AuditEntry, recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { raiseUploadVersion } from '../uploads/change-locked-upload.ts'
import { getUpload, getUploadToChange } from '../uploads/find-upload.ts'
import { moveUpload, requireLegalMove } from '../uploads/move-upload.ts'
import { canAccept, canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { loadFiles } from '../uploads/uploads.loaders.ts'
import { applyReleasePolicy } from './apply-release-policy.ts'
import { canRelease, type WrittenReason } from './can-release.ts'
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

/** What a reviewer sends with an acceptance, besides the upload and its version. */
export type AcceptInput = {
  openedFileIds?: readonly string[] | null | undefined
  shownHolds?: readonly object[] | null | undefined
  reason?: string | null | undefined
  comment?: string | null | undefined
}

/**
 * Accepts an upload and applies its category's release policy; the release waits until the verdict can no longer be undone.
 * Where the category requires two reviewers, the first acceptance leaves the upload in review for a second person.
 * Throws FORBIDDEN for the reviewer's own upload, unless the site allows it, BAD_USER_INPUT while the gate holds the
 * upload and no reason is given, and CONFLICT if a hold was not among those shown to the reviewer who gave it.
 */
export async function acceptUpload(
  ctx: UserCtx,
  { id, version, ...input }: { id: string; version: number } & AcceptInput,
): Promise<UploadRow> {
  const { openedFileIds, shownHolds, reason: code, comment: text } = parseInput(acceptance, input)
  const reason = code && text ? { code, text } : null
  return inTransaction(ctx, async (tx) => {
    const upload = await getForDecision(tx, id, version)
    if (upload.patient_id === null) throw invalidState('no patient', 'Alege întâi pacientul.')
    // A first of two acceptances does not change the state, so that no move checks it.
    requireLegalMove(upload.state, 'accepted')
    if (!canAccept(tx.actor, upload)) throw ownUpload()
    requireOtherReviewer(upload, tx.actor.id, await hasAcceptedBefore(tx.db, id, tx.actor.id, version))
    if (!upload.file_count) throw invalidState('no files', 'Încărcarea nu mai are niciun fișier.')
    await requireFilesOf(tx, upload, openedFileIds)
    const { holds, clearance, obstacle } = await canRelease(tx, upload, {
      by: 'reviewer',
      openedFileIds,
      shownHolds,
      reason,
    })
    if (obstacle) throw invalidState('not releasable', obstacle)
    if (!clearance) throw reason ? heldAnew(holds) : held(holds, { code, text })
    const isFirst = policyOf(upload).reviewers > 1 && !upload.first_reviewer_id
    const isExplained = holds.length > 0
    const undoUntil = await findUndoEnd(tx)
    await insertReview(tx.db, {
      id: newId(),
      upload_id: id,
      reviewer_id: tx.actor.id,
      verdict: 'accepted',
      reason_code: isExplained ? code : null,
      comment: isExplained ? text : null,
      checks: JSON.stringify(holds),
      opened_file_ids: openedFileIds,
      undo_until: undoUntil,
      first_of_version: isFirst ? version + 1 : null,
    })
    const changes = isExplained && reason ? describeReason(holds, reason) : {}
    if (isFirst) await recordFirstAcceptance(tx, upload, changes)
    else await applyReleasePolicy(tx, upload, clearance, { undoUntil, changes })
    return getUpload(tx, id)
  })
}

/** Returns until when a verdict of now can be undone; null: not at all. */
async function findUndoEnd({ db, now }: UserCtx): Promise<Date | null> {
  const { undo_seconds: seconds } = await findSite(db)
  return seconds > 0 ? new Date(now.getTime() + seconds * 1_000) : null
}

/** Throws BAD_USER_INPUT if one of the ids is not that of a file of the upload. */
async function requireFilesOf(tx: UserCtx, upload: UploadRow, ids: readonly string[]): Promise<void> {
  const own = new Set((await loadFiles(tx, upload)).map(({ id }) => id))
  if (ids.some((id) => !own.has(id)))
    throw invalid([{ field: 'openedFileIds', message: 'Un fișier deschis nu este al încărcării.' }])
}

/** An error with a sentence for each hold, and for what is missing in the reason. */
const held = (holds: readonly Hold[], { code, text }: { code: string | null; text: string | null }) =>
  invalid([
    ...describeHolds(holds).map((message) => ({ field: 'holds', message })),
    ...(code ? [] : [{ field: 'reason', message: ACCEPT_MESSAGES.reason }]),
    ...(text ? [] : [{ field: 'comment', message: ACCEPT_MESSAGES.comment }]),
  ])

/** The reason was given for other holds: the reviewer has to see these first. */
const heldAnew = (holds: readonly Hold[]) =>
  new UserError(
    'CONFLICT',
    'held for more than was shown',
    ['Între timp s-a schimbat ce nu se potrivește. Privește din nou.', ...describeHolds(holds)].join(' '),
    { fields: describeHolds(holds).map((message) => ({ field: 'holds', message })) },
  )

const describeReason = (holds: readonly Hold[], { code, text }: WrittenReason) => ({
  holds: { to: describeHolds(holds) },
  accept_reason: { to: code },
  reason: { to: text },
})

const ownUpload = () =>
  new UserError('FORBIDDEN', 'not allowed: accept own upload', `${OWN_UPLOAD_MESSAGE}.`, {
    denied: 'accept own upload',
  })

/**
 * Records the first of two acceptances. It changes the version, so that verdicts on the former version are
 * rejected.
 */
async function recordFirstAcceptance(
  tx: UserCtx,
  upload: UploadRow,
  changes: NonNullable<AuditEntry['changes']>,
): Promise<void> {
  const { id, patient_id: patientId } = upload
  const subject = { type: 'upload', id }
  await recordAudit(tx, {
    action: 'upload.accept-first',
    subject,
    patientId,
    ...(Object.keys(changes).length > 0 && { changes }),
  })
  await raiseUploadVersion(tx, upload)
}

/** More than the facts of all files of an upload. */
const MAX_SHOWN_HOLDS = SETTING_BOUNDS.upload_files.max * 2 * MAX_FACTS

const acceptance = z.object({
  openedFileIds: z
    .array(z.string())
    .max(SETTING_BOUNDS.upload_files.max)
    .nullish()
    .transform((ids) => [...new Set(ids ?? [])]),
  shownHolds: z
    .array(
      z.object({
        kind: z.enum(HOLD_KINDS, { error: 'Motivul reținerii nu este cunoscut.' }),
        fileId: z.string(),
        what: z.string().nullish(),
        value: z.string().nullish(),
      }),
    )
    .max(MAX_SHOWN_HOLDS)
    .nullish()
    .transform((holds) => holds ?? []),
  reason: optionalOneOf('Motivul', ACCEPT_REASONS),
  comment: optionalText('Explicația'),
})

const rejection = z.object({
  reason: z.enum(REJECTION_REASONS, {
    error: REJECTION_MESSAGES.reason,
  }),
  comment: optionalNote('Comentariul'),
})

/**
 * Sends an upload back with a reason; the reason `other` requires a comment. Its author sees the rejection at once, also
 * while it can be undone: nothing leaves the staff by it.
 */
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
      opened_file_ids: null,
      undo_until: await findUndoEnd(tx),
      first_of_version: null,
    })
    await moveUpload(tx, id, 'rejected', 'upload.reject')
    return getUpload(tx, id)
  })
}
