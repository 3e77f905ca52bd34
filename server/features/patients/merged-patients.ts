import { nameKey } from '../../../shared/romania/names.ts'
import type { Ctx } from '../../context.ts'
import {
  EDITABLE,
  lockPatientRows,
  moveReferralRows,
  type PatientRow,
  replaceNamePairs,
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
