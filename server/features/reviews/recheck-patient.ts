import type { Db } from '../../platform/database/database.ts'
import { findCnpsOfFiles } from '../uploads/inspection/find-cnps.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { confirmsPatient, findMismatches, type Mismatch } from './cross-check.ts'
import { selectReviews } from './reviews.db.ts'

/**
 * Whether an accepted upload still agrees with its patient as far as it did when it was accepted: hours may lie between
 * that and its release, in which the patient's CNP may be put right. What was explained with the verdict is known.
 */
export async function recheckPatient(db: Db, upload: UploadRow): Promise<boolean> {
  const files = await findCnpsOfFiles({ db }, upload.id)
  if (files.length === 0) return false
  // The newest verdict is the one that accepted it.
  const [verdict] = await selectReviews(db, upload.id)
  if (verdict?.reviewer_id === null) return confirmsPatient(upload.patient_cnp, files)
  const known = countByMask((verdict?.checks ?? []) as Mismatch[])
  const now = countByMask(findMismatches(upload.patient_cnp, files))
  return [...now].every(([key, count]) => count <= (known.get(key) ?? 0))
}

/** Mismatches by file and last digits: two numbers of a file may have the same mask, and old masks are of another form. */
function countByMask(mismatches: readonly Mismatch[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { fileId, cnpMasked } of mismatches) {
    const key = `${fileId} ${cnpMasked.slice(-4)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
