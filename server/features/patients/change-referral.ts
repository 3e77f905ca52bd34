import type { Ctx } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { getPatient } from './get-patient.ts'
import { listReferrals } from './list-referrals.ts'
import { lockPatients } from './merged-patients.ts'
import {
  type PatientRow,
  type ReferralRow,
  type ReferralValues,
  selectReferralPatient,
  updateReferralRow,
} from './patients.db.ts'

export type { ReferralRow }

/**
 * Locks the patient of a referral until the transaction ends, and returns the patient, the referral and the patient's
 * other referrals. Throws NOT_FOUND if the actor may not read it. The caller has called `blockMerges`.
 */
export async function lockReferral(
  tx: Ctx,
  id: string,
): Promise<{ patient: PatientRow; referral: ReferralRow; others: ReferralRow[] }> {
  const found = isId(id) ? await selectReferralPatient(tx.db, id) : undefined
  if (!found) throw notFound('referral')
  const patient = await getPatient(tx, found.patient_id)
  await lockPatients(tx, [patient.id])
  const referrals = await listReferrals(tx, patient.id)
  const referral = referrals.find((each) => each.id === id)
  if (!referral) throw notFound('referral')
  return { patient, referral, others: referrals.filter((each) => each !== referral) }
}

/** Writes the values of a referral. Throws CONFLICT if `version` is not the current one. */
export async function writeReferral(
  tx: Ctx,
  id: string,
  version: number,
  values: ReferralValues,
): Promise<void> {
  if (!(await updateReferralRow(tx.db, id, version, tx.now, values))) throw conflict('referral')
}
