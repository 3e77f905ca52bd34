import { nameKey } from '../../../shared/romania/names.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, forbidden } from '../../errors.ts'
import { listChanges } from '../audit/list-changes.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from './get-patient.ts'
import { matchAgain } from './match-again.ts'
import { readPatientInput } from './patient-input.ts'
import { canEditPatients } from './patients.access.ts'
import { EDITABLE, type PatientRow, replaceNamePairs, updatePatientRow } from './patients.db.ts'
import { requireFreeCnp } from './require-free-cnp.ts'

/**
 * Changes a patient, for staff, and records the changed fields. Throws CONFLICT if `version` is not the
 * current one.
 */
export async function updatePatient(
  ctx: UserCtx,
  { id, version, patient: input }: { id: string; version: number; patient: unknown },
): Promise<PatientRow> {
  if (!canEditPatients(ctx.actor)) throw forbidden('update patient')
  const values = readPatientInput(input)
  return requireFreeCnp(() =>
    inTransaction(ctx, async (tx) => {
      const before = await getPatient(tx, id)
      const after = await updatePatientRow(tx.db, id, version, tx.now, {
        ...values,
        name_key: nameKey(`${values.surname} ${values.given_names}`),
      })
      if (!after) throw conflict('patient')
      await replaceNamePairs(tx.db, after)
      await recordAudit(tx, {
        action: 'patient.update',
        subject: { type: 'patient', id },
        patientId: id,
        changes: listChanges(before, after, EDITABLE),
      })
      await matchAgain(tx, id)
      return after
    }),
  )
}
