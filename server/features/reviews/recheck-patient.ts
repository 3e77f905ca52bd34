import type { Ctx } from '../../context.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { confirmsPatient, findMismatches, type Mismatch } from './cross-check.ts'
import { selectReviews } from './reviews.db.ts'

/**
 * Whether an accepted upload still agrees with its patient as it did at acceptance; the patient's CNP may be
 * corrected in the hours before the release. Mismatches that were explained with the verdict do not count.
 */
export async function recheckPatient(ctx: Ctx, upload: UploadRow): Promise<boolean> {
  const files = await findCnpsOfFiles(ctx, upload.id)
  if (files.length === 0) return false
  // The newest verdict is the acceptance.
  const [verdict] = await selectReviews(ctx.db, upload.id)
  if (verdict?.reviewer_id === null) return confirmsPatient(upload.patient_cnp, files)
  const known = countByMask((verdict?.checks ?? []) as Mismatch[])
  const now = countByMask(findMismatches(upload.patient_cnp, files))
  return [...now].every(([key, count]) => count <= (known.get(key) ?? 0))
}

/**
 * Counts mismatches by file and last four digits. Two CNPs of a file may have equal masks, and older masks
 * have another format.
 */
function countByMask(mismatches: readonly Mismatch[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { fileId, cnpMasked } of mismatches) {
    const key = `${fileId} ${cnpMasked.slice(-4)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
