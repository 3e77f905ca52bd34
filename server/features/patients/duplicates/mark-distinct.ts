import { inTransaction, type UserCtx } from '../../../context.ts'
import { forbidden, invalid } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { getPatient } from '../get-patient.ts'
import { canEditPatients } from '../patients.access.ts'
import type { PatientRow } from '../patients.db.ts'
import { insertDistinct } from './duplicates.db.ts'

/**
 * Remembers that two patients are different people, for staff: neither the form nor the page asks again.
 * Returns the first.
 */
export async function markDistinct(
  ctx: UserCtx,
  { patientId, otherId }: { patientId: string; otherId: string },
): Promise<PatientRow> {
  if (!canEditPatients(ctx.actor)) throw forbidden('mark distinct patients')
  return inTransaction(ctx, async (tx) => {
    const patient = await getPatient(tx, patientId)
    await recordDistinct(tx, patient, [otherId])
    return patient
  })
}

/** Remembers that each of the others is another person than the patient, as `markDistinct`. */
export async function recordDistinct(
  tx: UserCtx,
  patient: PatientRow,
  otherIds: readonly string[],
): Promise<void> {
  for (const otherId of new Set(otherIds)) {
    const other = await getPatient(tx, otherId)
    if (other.id === patient.id)
      throw invalid([{ field: 'otherId', message: 'Este același pacient: alege altul.' }])
    await insertDistinct(tx.db, patient.id, other.id, tx.actor.id)
    for (const [one, another] of [
      [patient, other],
      [other, patient],
    ] as const)
      await recordAudit(tx, {
        action: 'patient.distinct',
        subject: { type: 'patient', id: another.id },
        patientId: one.id,
      })
  }
}
