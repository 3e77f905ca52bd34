import type { Db } from '../../platform/database.ts'
import { selectFileTexts, type UploadRow } from '../uploads/uploads.db.ts'
import { confirmsPatient, findMismatches, type Mismatch } from './cross-check.ts'
import { selectReviews } from './reviews.db.ts'

/**
 * Whether an accepted upload still agrees with its patient as far as it did when it was accepted: hours may lie between
 * that and its release, in which the patient's CNP may be put right. What was explained with the verdict is known.
 */
export async function agreesStill(db: Db, upload: UploadRow): Promise<boolean> {
  const files = await selectFileTexts(db, upload.id)
  if (files.length === 0) return false
  // The newest verdict is the one that accepted it.
  const [verdict] = await selectReviews(db, upload.id)
  if (verdict?.reviewer_id === null) return confirmsPatient(upload.patient_cnp, files)
  const known = new Set(((verdict?.checks ?? []) as Mismatch[]).map(keyOf))
  return findMismatches(upload.patient_cnp, files).every((mismatch) => known.has(keyOf(mismatch)))
}

const keyOf = ({ fileId, cnpMasked }: Mismatch): string => `${fileId} ${cnpMasked}`
