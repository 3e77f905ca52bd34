import type { Ctx } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { type PatientScope, patientScope } from './patients.access.ts'
import { loadPatient, type PatientRow, selectPatient, selectSurvivor } from './patients.db.ts'

/**
 * Returns the patient; for one that was merged into another, the other. Throws NOT_FOUND if the actor may not
 * read the patient or the id is unknown. Writes no audit row.
 */
export async function getPatient(ctx: Ctx, id: string): Promise<PatientRow> {
  const patient = await findPatient(ctx, id)
  if (!patient) throw notFound('patient')
  return patient
}

/** Returns the same patient; undefined where `getPatient` throws. */
export async function findPatient(ctx: Ctx, id: string): Promise<PatientRow | undefined> {
  const scope = patientScope(ctx.actor)
  return isId(id)
    ? ((await findLive(ctx, scope, id)) ?? (await selectSurvivor(ctx.db, scope, id)))
    : undefined
}

const findLive = async ({ db }: Ctx, scope: PatientScope, id: string): Promise<PatientRow | undefined> =>
  scope.kind === 'all' && !db.isTransaction ? (await loadPatient(db, id))[0] : selectPatient(db, scope, id)
