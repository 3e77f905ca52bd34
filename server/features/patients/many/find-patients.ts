import type { Ctx } from '../../../context.ts'
import { patientScope } from '../patients.access.ts'
import { lockPatientRows, type PatientRow, selectPatientsByCnps, selectPatientsById } from '../patients.db.ts'

/** Returns the patients with these CNPs. Writes no audit row. */
export const findPatientsByCnps = async (ctx: Ctx, cnps: readonly string[]): Promise<PatientRow[]> =>
  cnps.length === 0 ? [] : selectPatientsByCnps(ctx.db, patientScope(ctx.actor), cnps)

/** Returns the patients with these ids that the actor may read. Writes no audit row. */
export const findPatientsById = async (ctx: Ctx, ids: readonly string[]): Promise<PatientRow[]> =>
  ids.length === 0 ? [] : selectPatientsById(ctx.db, patientScope(ctx.actor), ids)

/** Locks the patients with these CNPs until the transaction ends, and returns them as they are then. */
export async function lockPatientsByCnps(tx: Ctx, cnps: readonly string[]): Promise<PatientRow[]> {
  const found = await findPatientsByCnps(tx, cnps)
  if (found.length === 0) return []
  const locked = await lockPatientRows(
    tx.db,
    found.map(({ id }) => id),
  )
  return locked.filter(
    ({ merged_into, deleted_at, cnp }) => !merged_into && !deleted_at && cnp !== null && cnps.includes(cnp),
  )
}
