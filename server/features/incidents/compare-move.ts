import type { Hold } from '../../../shared/reviews/holds.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { compareFiles, listOtherPersons, type ShownLine, showLines } from '../matching/list-disagreements.ts'
import { getPatient } from '../patients/get-patient.ts'
import { findFactsOfFiles } from '../uploads/inspection/find-file-facts.ts'
import { canReview } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findVersionsToMove } from '../uploads/versions/find-versions.ts'

export type MoveComparison = { lines: ShownLine[]; holds: Hold[] }

/** Compares the files of an upload, and of the versions that a move takes along, with a patient; for reviewers. */
export async function compareMove(
  ctx: UserCtx,
  upload: UploadRow,
  patientId: string,
): Promise<MoveComparison> {
  if (!canReview(ctx.actor)) throw forbidden('compare move')
  if (!patientId) throw invalid([{ field: 'patientId', message: 'Alege pacientul.' }])
  const patient = await getPatient(ctx, patientId)
  const versions = await findVersionsToMove(ctx, upload)
  const files = (await Promise.all(versions.map(({ id }) => findFactsOfFiles(ctx, id)))).flat()
  const comparison = compareFiles(patient, files)
  return { lines: showLines(comparison, files), holds: listOtherPersons(comparison, files) }
}
