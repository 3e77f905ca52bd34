import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from './get-patient.ts'
import type { PatientRow } from './patients.db.ts'

/** Returns a patient for their page and records who read it. */
export async function readPatient(ctx: UserCtx, id: string): Promise<PatientRow> {
  const patient = await getPatient(ctx, id)
  await recordAudit(ctx, { action: 'patient.read', subject: { type: 'patient', id }, patientId: id })
  return patient
}

/** Returns the whole CNP, which is masked everywhere else, and records who read it. */
export async function revealCnp(ctx: UserCtx, id: string): Promise<string | null> {
  const patient = await getPatient(ctx, id)
  await recordAudit(ctx, { action: 'patient.reveal-cnp', subject: { type: 'patient', id }, patientId: id })
  return patient.cnp
}
