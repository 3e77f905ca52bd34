import type { UserCtx } from '../../context.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from './get-patient.ts'
import type { PatientRow } from './patients.db.ts'

/** Returns a patient for their page and records who read it. */
export async function readPatient(ctx: UserCtx, id: string): Promise<PatientRow> {
  const patient = await getPatient(ctx, id)
  await recordRead(ctx, 'patient.read', patient)
  return patient
}

/** Returns the whole CNP, which is masked everywhere else, and records who read it. */
export async function revealCnp(ctx: UserCtx, id: string): Promise<string | null> {
  const patient = await getPatient(ctx, id)
  await recordRead(ctx, 'patient.reveal-cnp', patient)
  return patient.cnp
}

const recordRead = (ctx: UserCtx, action: 'patient.read' | 'patient.reveal-cnp', { id }: PatientRow) =>
  recordAudit(ctx, { action, subject: { type: 'patient', id }, patientId: id })
