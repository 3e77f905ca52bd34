import { nameKey } from '../../../shared/romania/names.ts'
import type { Ctx } from '../../context.ts'
import { listReferrals } from './list-referrals.ts'
import {
  EDITABLE,
  lockPatientRows,
  moveReferralRows,
  type PatientRow,
  type ReferralRow,
  replaceNamePairs,
  selectReferralIdsChosenSince,
  selectReferralIdsGrantedFor,
  updateMergedInto,
  updatePatientRow,
} from './patients.db.ts'

export type PatientValues = Pick<PatientRow, (typeof EDITABLE)[number]>

/** Returns the values of a patient that staff can change. */
export const valuesOf = (patient: PatientRow): PatientValues =>
  Object.fromEntries(EDITABLE.map((field) => [field, patient[field]])) as PatientValues

/**
 * Locks the patients until the transaction ends, in the order of their ids, and returns those that exist, also
 * merged ones.
 */
export const lockPatients = (tx: Ctx, ids: readonly string[]) => lockPatientRows(tx.db, ids)

/**
 * Writes the values of a patient whom the transaction has locked, and raises the version. Throws the violation
 * of the unique CNP.
 */
export async function writePatientValues(
  tx: Ctx,
  { id, version }: PatientRow,
  values: PatientValues,
): Promise<PatientRow> {
  const after = await updatePatientRow(tx.db, id, version, tx.now, {
    ...values,
    name_key: nameKey(`${values.surname} ${values.given_names}`),
  })
  if (!after) throw new Error('a locked patient has changed')
  await replaceNamePairs(tx.db, after)
  return after
}

/** Marks a locked patient as merged into another, or with null as a patient of its own again. */
export const markMerged = async (tx: Ctx, id: string, into: string | null): Promise<void> => {
  await updateMergedInto(tx.db, id, into, tx.now)
}

/** Moves the referrals of a patient, with `ids` only these, to another patient; returns their ids. */
export const moveReferrals = async (
  tx: Ctx,
  { from, to, ids = null }: { from: string; to: string; ids?: readonly string[] | null },
): Promise<string[]> => (await moveReferralRows(tx.db, from, to, ids)).map(({ id }) => id)

/** Returns the ids of the patient's referrals that the CNP of the other one has granted, who was merged into the patient until now. */
export const findReferralsGrantedFor = async (
  tx: Ctx,
  patientId: string,
  otherId: string,
): Promise<string[]> => (await selectReferralIdsGrantedFor(tx.db, patientId, otherId)).map(({ id }) => id)

/** Returns the patient's referrals since then, without mistaken ones, for which a person chose the patient. */
export async function findReferralsChosenSince(
  tx: Ctx,
  patientId: string,
  since: Date,
): Promise<ReferralRow[]> {
  const ids = new Set((await selectReferralIdsChosenSince(tx.db, patientId, since)).map(({ id }) => id))
  const referrals = ids.size === 0 ? [] : await listReferrals(tx, patientId)
  return referrals.filter(({ id, mistaken }) => ids.has(id) && !mistaken)
}
