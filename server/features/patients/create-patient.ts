import { nameKey } from '../../../shared/romania/names.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { readPatientInput } from './patient-input.ts'
import { canEditPatients } from './patients.access.ts'
import { insertPatient, type PatientRow, replaceNamePairs } from './patients.db.ts'
import { requireFreeCnp } from './require-free-cnp.ts'

/**
 * Creates a patient with its search entries, for staff. Throws BAD_USER_INPUT if another patient has the CNP.
 */
export async function createPatient(ctx: UserCtx, input: unknown): Promise<PatientRow> {
  if (!canEditPatients(ctx.actor)) throw forbidden('create patient')
  const values = readPatientInput(input)
  return requireFreeCnp(() =>
    inTransaction(ctx, async (tx) => {
      const patient = await insertPatient(tx.db, {
        id: newId(),
        name_key: nameKey(`${values.surname} ${values.given_names}`),
        ...values,
      })
      await replaceNamePairs(tx.db, patient)
      await recordAudit(tx, {
        action: 'patient.create',
        subject: { type: 'patient', id: patient.id },
        patientId: patient.id,
      })
      return patient
    }),
  )
}
