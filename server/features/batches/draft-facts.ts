import type { UserCtx } from '../../context.ts'
import { canReadFileChecks } from '../file-checks/file-checks.access.ts'
import { compareFacts } from '../matching/compare-facts.ts'
import { getPatient } from '../patients/get-patient.ts'
import { comparedPatientOf } from '../reviews/cross-check.ts'
import type { FactRow } from '../uploads/inspection/facts.db.ts'
import { findUncheckedFiles } from '../uploads/readings/find-unchecked-files.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'

/** A fact of a file that was not checked yet. `agrees` is null if it was not compared with a patient. */
export type DraftFact = { fact: FactRow; agrees: boolean | null }

/** Without images and series, which say nothing to a reader and are as many as the files. */
const SHOWN: ReadonlySet<FactRow['kind']> = new Set([
  'cnp',
  'name',
  'birth-date',
  'accession',
  'examined-on',
  'doctor',
  'institution',
])

/**
 * Returns what was read in the files of an upload that were not checked yet, compared with a patient: the given one, or the
 * upload's. For its author and for reviewers; none for other readers. Throws NOT_FOUND if the actor may not read the patient.
 */
export async function findDraftFacts(
  ctx: UserCtx,
  upload: UploadRow,
  patientId: string | null,
): Promise<DraftFact[]> {
  if (!canReadFileChecks(ctx.actor, upload)) return []
  const files = await findUncheckedFiles(ctx, upload.id)
  const patient = patientId !== null ? await getPatient(ctx, patientId) : comparedPatientOf(upload)
  const isCompared = patientId !== null || upload.patient_id !== null
  const compared = files.map(({ file, facts }) => ({ fileId: file.id, facts }))
  const found = isCompared ? compareFacts(patient, compared).lines.flatMap((line) => line.found) : []
  // A place belongs to one fact.
  const agreeing = new Map(found.map(({ place, agrees }) => [place, agrees]))
  return files
    .flatMap(({ facts }) => facts)
    .filter(({ kind }) => SHOWN.has(kind))
    .map((fact) => ({ fact, agrees: agreeing.get(fact.place) ?? null }))
}
