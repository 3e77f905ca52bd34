import type { UserCtx } from '../../../context.ts'
import { conflict, forbidden, invalid, invalidState } from '../../../errors.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { type AuditEntry, recordAudit } from '../../audit/record-audit.ts'
import { blockCategorySaves } from '../../categories/find-category.ts'
import { blockMerges } from '../../patients/merge-lock.ts'
import { changeDetails, raiseUploadVersion } from '../change-locked-upload.ts'
import { withOwnDoctor } from '../edit-upload.ts'
import { getChangedUpload, getUploadToChange } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { readUploadInput } from '../upload-input.ts'
import { canMoveReleased, canReview } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { findOpenings, type Opening } from './openings.ts'
import { forgetRelease } from './released.db.ts'

export type Move = {
  id: string
  version: number
  patientId: string
  institutionId?: string | null | undefined
}

/** An upload that was released for the wrong patient: as it was, as it is now, and who had opened it. */
export type MovedUpload = { before: UploadRow; after: UploadRow; openings: Opening[] }

/**
 * Moves an upload that was released to the patient to whom it belongs, for reviewers: the former institution no longer sees it, and
 * it waits for a reviewer, never for the automatic policy, which accepts nothing that has a verdict. A doctor of the former
 * patient's referrals does not stay. Throws CONFLICT if it was not released or has changed.
 */
export async function moveToPatient(tx: UserCtx, move: Move, reason: string): Promise<MovedUpload> {
  if (!canReview(tx.actor)) throw forbidden('move upload')
  await blockCategorySaves(tx)
  await blockMerges(tx)
  const before = await getUploadToChange(tx, move.id)
  if (!canMoveReleased(tx.actor, before))
    throw invalidState('not released', 'Doar o încărcare eliberată se mută astfel la alt pacient.')
  if (before.version !== move.version) throw conflict('upload')
  if (!move.patientId) throw invalid([{ field: 'patientId', message: 'Alege pacientul.' }])
  if (before.patient_id === move.patientId)
    throw invalid([{ field: 'patientId', message: 'Încărcarea este deja a acestui pacient.' }])
  const values = await withOwnDoctor(tx, before, await readUploadInput(tx, detailsFor(before, move), before))
  const openings = await findOpenings(tx, before)

  const changes = listChanges({ ...before }, { ...before, ...values }, MOVED_FIELDS)
  const entry = { ...changes, reason: { to: reason } }
  await returnToReview(tx, before, entry)
  // The return has raised the version.
  await changeDetails(tx, { id: before.id, version: before.version + 1 }, values)
  await forgetRelease(tx.db, before.id)
  await recordAudit(tx, {
    action: 'upload.move',
    subject: { type: 'upload', id: before.id },
    patientId: values.patient_id,
    changes: entry,
  })
  await notifyUploadChanged(tx, { id: before.id, ...values })
  return { before, after: await getChangedUpload(tx, before.id), openings }
}

/** Records the move for the former patient. */
async function returnToReview(
  tx: UserCtx,
  upload: UploadRow,
  changes: NonNullable<AuditEntry['changes']>,
): Promise<void> {
  const action = 'upload.move'
  if (upload.state !== 'in_review') return moveUpload(tx, upload.id, 'in_review', action, changes)
  const subject = { type: 'upload', id: upload.id } as const
  await recordAudit(tx, { action, subject, patientId: upload.patient_id, changes })
  await raiseUploadVersion(tx, upload)
}

const MOVED_FIELDS = ['patient_id', 'institution_id', 'referring_doctor'] as const

const detailsFor = (upload: UploadRow, { patientId, institutionId }: Move) => ({
  patientId,
  institutionId,
  categorySlug: upload.category_slug,
  title: upload.title,
  examinedOn: upload.examined_on,
  accessionNumber: upload.accession_number,
  referringDoctor: upload.referring_doctor,
  note: upload.note,
})
