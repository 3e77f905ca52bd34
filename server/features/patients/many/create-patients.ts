import { nameKey } from '../../../../shared/romania/names.ts'
import type { UserCtx } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudits } from '../../audit/record-audit.ts'
import type { readPatientInput } from '../patient-input.ts'
import { canEditPatients } from '../patients.access.ts'
import { insertPatients } from '../patients.db.ts'

/**
 * Creates many patients in the open transaction, as `createPatient` does each, and returns their ids in order. Throws the
 * violation of the unique CNP.
 */
export async function createPatients(
  tx: UserCtx,
  people: readonly ReturnType<typeof readPatientInput>[],
): Promise<string[]> {
  if (!canEditPatients(tx.actor)) throw forbidden('create patients')
  if (people.length === 0) return []
  const rows = people.map((values) => ({
    id: newId(),
    name_key: nameKey(`${values.surname} ${values.given_names}`),
    ...values,
  }))
  await insertPatients(tx.db, rows)
  const ids = rows.map(({ id }) => id)
  await recordAudits(
    tx,
    ids.map((id) => ({ action: 'patient.create', subject: { type: 'patient', id }, patientId: id })),
  )
  return ids
}
