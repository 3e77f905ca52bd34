import type { Ctx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { patientScope } from './patients.access.ts'
import { type PatientRow, selectPatient, selectSurvivor } from './patients.db.ts'

/**
 * Returns the patient; for one that was merged into another, the other. Throws NOT_FOUND if the actor may not
 * read the patient or the id is unknown. Writes no audit row.
 */
export async function getPatient(ctx: Ctx, id: string): Promise<PatientRow> {
  const scope = patientScope(ctx.actor)
  const patient = isId(id)
    ? ((await selectPatient(ctx.db, scope, id)) ?? (await selectSurvivor(ctx.db, scope, id)))
    : undefined
  if (!patient) throw notFound('patient')
  return patient
}
