import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalid } from '../../errors.ts'
import { publish } from '../../platform/events.ts'
import { newId } from '../../platform/ids.ts'
import { optionalPastDay, optionalText, parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'
import { getPatient } from './get-patient.ts'
import { isOpenReferral, listReferrals } from './list-referrals.ts'
import { matchAgain } from './match-again.ts'
import { blockMerges } from './merge-lock.ts'
import { lockPatients } from './merged-patients.ts'
import { canEditPatients } from './patients.access.ts'
import { insertReferral, type PatientRow, type ReferralRow, selectOwnersOfCnps } from './patients.db.ts'

const schema = z.object({
  patientId: z.string(),
  institutionId: z.string(),
  doctor: optionalText('Medicul trimițător'),
  referredOn: optionalPastDay('Data trimiterii'),
  number: optionalText('Numărul trimiterii', 60),
})

/** Throws BAD_USER_INPUT if one of the institution's referrals has the same details. */
export function requireNoEqual(
  referrals: readonly ReferralRow[],
  { doctor, referred_on, number }: Pick<ReferralRow, 'doctor' | 'referred_on' | 'number'>,
): void {
  const equal = referrals.find(
    (other) => other.doctor === doctor && other.referred_on === referred_on && other.number === number,
  )
  if (!equal) return
  const message = isOpenReferral(equal)
    ? 'Pacientul are deja exact această trimitere.'
    : 'Pacientul are deja exact această trimitere, încheiată. O poți redeschide.'
  throw invalid([{ field: 'institutionId', message }])
}

/**
 * Records that an institution referred a patient, for staff: the institution's users then see the patient. With the `cnp` that
 * the institution has stated it follows whose that is, when a merge is undone. Throws BAD_USER_INPUT if the patient has the
 * same referral already.
 */
export async function createReferral(
  ctx: UserCtx,
  input: unknown,
  { cnp }: { cnp: string | null } = { cnp: null },
): Promise<PatientRow> {
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
    requireNoEqual(referrals, { doctor, referred_on: referredOn, number })
    const id = newId()
    await insertReferral(tx.db, {
      id,
      patient_id: patient.id,
      institution_id: institution.id,
      doctor,
      referred_on: referredOn,
      number,
      created_by: tx.actor.id,
      granted_for:
        cnp === null ? null : ((await selectOwnersOfCnps(tx.db, [patient.id], [cnp])).get(cnp) ?? null),
    })
    await recordAudit(tx, {
      action: 'referral.create',
      subject: { type: 'referral', id },
      patientId: patient.id,
    })
    await publish(tx.db, { kind: 'patient', id: patient.id })
    await matchAgain(tx, patient.id)
    return patient
  })
}
