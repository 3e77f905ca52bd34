import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { optionalPastDay, optionalText, parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'
import { getPatient } from './get-patient.ts'
import { listReferrals } from './list-referrals.ts'
import { blockMerges } from './merge-lock.ts'
import { lockPatients } from './merged-patients.ts'
import { canEditPatients } from './patients.access.ts'
import { insertReferral, type PatientRow } from './patients.db.ts'

const schema = z.object({
  patientId: z.string(),
  institutionId: z.string(),
  doctor: optionalText('Medicul trimițător'),
  referredOn: optionalPastDay('Data trimiterii'),
  number: optionalText('Numărul trimiterii', 60),
})

/**
 * Records that an institution referred a patient, for staff: the institution's users then see the patient. Throws
 * BAD_USER_INPUT if the patient has the same referral already.
 */
export async function createReferral(ctx: UserCtx, input: unknown): Promise<PatientRow> {
  if (!canEditPatients(ctx.actor)) throw forbidden('create referral')
  const values = parseInput(schema, input)
  return inTransaction(ctx, async (tx) => {
    await blockMerges(tx)
    const patient = await getPatient(tx, values.patientId)
    const institution = await getOpenInstitution(tx, values.institutionId)
    // Of two equal requests at the same moment, the second finds the referral of the first.
    await lockPatients(tx, [patient.id])
    const referrals = await listReferrals(tx, patient.id, [institution.id])
    const { doctor, referredOn, number } = values
    if (
      referrals.some(
        (other) => other.doctor === doctor && other.referred_on === referredOn && other.number === number,
      )
    )
      throw invalid([{ field: 'institutionId', message: 'Pacientul are deja exact această trimitere.' }])
    const id = newId()
    await insertReferral(tx.db, {
      id,
      patient_id: patient.id,
      institution_id: institution.id,
      doctor,
      referred_on: referredOn,
      number,
      created_by: tx.actor.id,
    })
    await recordAudit(tx, {
      action: 'referral.create',
      subject: { type: 'referral', id },
      patientId: patient.id,
    })
    await publish(tx.db, { kind: 'patient', id: patient.id })
    return patient
  })
}
