import type { AcceptReason } from '../../../shared/reviews/accept-reasons.ts'
import type { Hold, ShownHold } from '../../../shared/reviews/holds.ts'
import { isAccepted } from '../../../shared/uploads/files.ts'
import type { Ctx } from '../../context.ts'
import { Clearance } from '../uploads/clearance.ts'
import { type FileFacts, findFactsOfFiles } from '../uploads/inspection/find-file-facts.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findFormer, isOfFormerPatient } from '../uploads/versions/find-versions.ts'
import { compareUpload, confirmsPatient, listHolds, listUnopened } from './cross-check.ts'
import { readHolds } from './read-holds.ts'
import { selectLastVerdict } from './reviews.db.ts'

/** Why a reviewer accepts an upload that is held: a code of the list and a line of text. */
export type WrittenReason = { code: AcceptReason; text: string }

/**
 * Who asks the gate: a reviewer who accepts, the policy of a category that requires none, or the release of an upload
 * that was accepted before.
 */
export type Asking =
  | {
      by: 'reviewer'
      openedFileIds: readonly string[]
      /** Besides files that were not opened, which `openedFileIds` and the version of the upload name. */
      shownHolds: readonly ShownHold[]
      reason: WrittenReason | null
    }
  | { by: 'policy' }
  | { by: 'release' }

/**
 * `holds`: what is held, also where a reason clears it; without a clearance the upload must not be accepted or
 * released. It has no holds and no clearance if it has no files, or if they do not confirm the patient as the policy
 * requires. `obstacle`: the sentence for what no reason clears.
 */
export type Answer = { holds: Hold[]; clearance: Clearance | null; obstacle: string | null }

/**
 * The gate: every path to `accepted` and `released` asks it, with the upload and its former version locked. It holds an
 * upload while a fact of a file disagrees with the patient, a file was not opened by the accepting reviewer, or a file is
 * unreadable or was read only in part, unless the reviewer has given a reason for exactly these holds.
 */
export async function canRelease(tx: Ctx, upload: UploadRow, asking: Asking): Promise<Answer> {
  const files = await findFactsOfFiles(tx, upload.id)
  const obstacle = await findObstacle(tx, upload, files)
  if (obstacle || files.length === 0 || upload.patient_id === null)
    return { holds: [], clearance: null, obstacle }
  const { holds, isCleared } = await decide(tx, upload, files, asking)
  return { holds, clearance: isCleared ? new Clearance(upload.id) : null, obstacle }
}

/**
 * Returns why the upload cannot be released at all: a file was added after the check of the others, or the version
 * whose place it takes belongs to another patient by now, to whom this release would take a result away.
 */
async function findObstacle(tx: Ctx, upload: UploadRow, files: readonly FileFacts[]): Promise<string | null> {
  if (files.some(({ scan_result }) => !isAccepted(scan_result)))
    return 'Un fișier nu a trecut încă de controlul automat.'
  return isOfFormerPatient(upload, await findFormer(tx, upload))
    ? null
    : 'Versiunea pe care o înlocuiește este acum a altui pacient.'
}

async function decide(
  tx: Ctx,
  upload: UploadRow,
  files: readonly FileFacts[],
  asking: Asking,
): Promise<{ holds: Hold[]; isCleared: boolean }> {
  const holds = listHolds(compareUpload(upload, files), files)
  if (asking.by === 'reviewer') {
    const all = [...holds, ...listUnopened(files, asking.openedFileIds)]
    const isExplained = asking.reason !== null && areExplained(holds, asking.shownHolds)
    return { holds: all, isCleared: all.length === 0 || isExplained }
  }
  const verdict = asking.by === 'release' ? await selectLastVerdict(tx.db, upload.id) : undefined
  if (asking.by === 'release' && verdict?.verdict !== 'accepted') return { holds, isCleared: false }
  // Accepted by the product: nobody has opened the files, so that they have to confirm the patient by themselves.
  if (!verdict || verdict.reviewer_id === null)
    return { holds, isCleared: mayBeAutomatic(upload, holds, files) }
  // Of a verdict of before openings were recorded, all files count as opened.
  const all = verdict.opened_file_ids ? [...holds, ...listUnopened(files, verdict.opened_file_ids)] : holds
  return { holds: all, isCleared: areExplained(all, readHolds(verdict.checks)) }
}

/** Whether the upload is accepted and released without a reviewer: never one that a user of an institution has sent. */
const mayBeAutomatic = (upload: UploadRow, holds: readonly Hold[], files: readonly FileFacts[]): boolean =>
  upload.source !== 'institution' && holds.length === 0 && confirmsPatient(upload.patient_cnp, files)

/** Whether each hold is among those that the reviewer has given a reason for. */
function areExplained(holds: readonly Hold[], explained: readonly ShownHold[]): boolean {
  const known = countByKey(explained)
  return [...countByKey(holds)].every(([key, count]) => count <= (known.get(key) ?? 0))
}

/**
 * Two CNPs of a file may have equal masks, and older masks have another format: only their last digits are compared.
 */
function countByKey(holds: readonly ShownHold[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { kind, what, value, fileId } of holds) {
    const key = [kind, fileId, what ?? '', (what === 'cnp' ? value?.slice(-4) : value) ?? ''].join(' ')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
