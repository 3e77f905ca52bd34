import type { UserCtx } from '../../../context.ts'
import { conflict, forbidden, invalid, invalidState } from '../../../errors.ts'
import { listChanges } from '../../audit/list-changes.ts'
import { type AuditEntry, recordAudit } from '../../audit/record-audit.ts'
import { blockCategorySaves } from '../../categories/find-category.ts'
import { blockMerges } from '../../patients/merge-lock.ts'
import { changeDetails, detailsOf, raiseUploadVersion } from '../change-locked-upload.ts'
import { withOwnDoctor } from '../edit-upload.ts'
import { getUploadToChange } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { readUploadInput } from '../upload-input.ts'
import { canMoveReleased, canReview, wasReleased } from '../uploads.access.ts'
import type { UploadRow } from '../uploads.db.ts'
import { findVersionsToMove, lockAllVersions } from '../versions/find-versions.ts'
import { findOpenings, type Opening } from './openings.ts'
import { forgetRelease } from './released.db.ts'

export type Move = {
  id: string
  version: number
  patientId: string
  institutionId?: string | null | undefined
}

/** A version of a result of the wrong patient: as it was, whose it is, and who had opened it. */
export type MovedVersion = { before: UploadRow; patientId: string; openings: Opening[] }

/**
 * Moves an upload to the patient to whom it belongs after its verdict, for reviewers; returns it first. The former
 * institution no longer sees it, and it waits for a reviewer, never for the automatic policy, which accepts nothing
 * that has a verdict; a withdrawn or replaced one stays so. Any other takes along all versions of the result that are
 * of the former patient. `explain` may refuse, and returns the reasons for the audit log. Throws CONFLICT if it has no
 * verdict or has changed.
 */
export async function moveToPatient(
  tx: UserCtx,
  move: Move,
  explain: (upload: UploadRow) => Promise<NonNullable<AuditEntry['changes']>>,
): Promise<[MovedVersion, ...MovedVersion[]]> {
  if (!canReview(tx.actor)) throw forbidden('move upload')
  await blockCategorySaves(tx)
  await blockMerges(tx)
  await lockAllVersions(tx, move.id)
  const before = await getUploadToChange(tx, move.id)
  if (!canMoveReleased(tx.actor, before))
    throw invalidState('not released', 'Doar o încărcare eliberată se mută astfel la alt pacient.')
  if (before.version !== move.version) throw conflict('upload')
  if (!move.patientId) throw invalid([{ field: 'patientId', message: 'Alege pacientul.' }])
  if (before.patient_id === move.patientId)
    throw invalid([{ field: 'patientId', message: 'Încărcarea este deja a acestui pacient.' }])
  const recipient = await readUploadInput(tx, detailsFor(before, move), before)
  const reasons = await explain(before)
  const [first, ...others] = await findVersionsToMove(tx, before)
  const moved: [MovedVersion, ...MovedVersion[]] = [await moveVersion(tx, first, recipient, reasons)]
  for (const version of others) moved.push(await moveVersion(tx, version, recipient, reasons))
  return moved
}

type Recipient = Pick<UploadRow, 'patient_id' | 'institution_id'>

/** Moves one version. A doctor of the former patient's referrals does not stay. */
async function moveVersion(
  tx: UserCtx,
  before: UploadRow,
  { patient_id, institution_id }: Recipient,
  reasons: NonNullable<AuditEntry['changes']>,
): Promise<MovedVersion> {
  const values = await withOwnDoctor(tx, before, { ...detailsOf(before), patient_id, institution_id })
  const openings = await findOpenings(tx, before)
  const { id } = before
  const action = 'upload.move'
  const subject = { type: 'upload', id }
  const changes = {
    ...listChanges({ ...before }, { ...before, ...values }, MOVED_FIELDS),
    ...reasons,
  }
  if (returnsToReview(before)) await moveUpload(tx, id, 'in_review', action, changes)
  else {
    // For the former patient, as the move to another state is.
    await recordAudit(tx, { action, subject, patientId: before.patient_id, changes })
    await raiseUploadVersion(tx, before)
  }
  // Both have raised the version.
  await changeDetails(tx, { id, version: before.version + 1 }, values)
  await forgetRelease(tx.db, id)
  await recordAudit(tx, { action, subject, patientId: patient_id, changes })
  await notifyUploadChanged(tx, { id, ...values })
  return { before, patientId: patient_id!, openings }
}

/** Whether a version has a verdict for the former patient; a new version that was rejected stays with its author. */
const returnsToReview = (version: UploadRow): boolean =>
  version.state === 'released' ||
  version.state === 'accepted' ||
  (version.state === 'rejected' && wasReleased(version))

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
