import { nameKey } from '../../../shared/romania/names.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { recordDistinct } from './duplicates/mark-distinct.ts'
import { matchAgain } from './match-again.ts'
import { readPatientInput } from './patient-input.ts'
import { canEditPatients } from './patients.access.ts'
import { insertPatient, type PatientRow, replaceNamePairs } from './patients.db.ts'
import { requireFreeCnp } from './require-free-cnp.ts'

/** More than any form shows. */
const MAX_DISTINCT = 20

/**
 * Creates a patient with its search entries, for staff, and remembers the patients in `distinctFrom` as other
 * people. Throws BAD_USER_INPUT if another patient has the CNP.
 */
export async function createPatient(
  ctx: UserCtx,
  { patient: input, distinctFrom }: { patient: unknown; distinctFrom?: readonly string[] | null | undefined },
): Promise<PatientRow> {
  if (!canEditPatients(ctx.actor)) throw forbidden('create patient')
  const values = readPatientInput(input)
  if ((distinctFrom?.length ?? 0) > MAX_DISTINCT) {
    const message = `Cel mult ${MAX_DISTINCT} de pacienți pot fi notați ca persoane diferite.`
    throw invalid([{ field: 'distinctFrom', message }])
  }
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
      await recordDistinct(tx, patient, distinctFrom ?? [])
      await matchAgain(tx, patient.id)
      return patient
    }),
  )
}
