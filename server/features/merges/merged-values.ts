import { parseCnp } from '../../../shared/romania/cnp.ts'
import type { PatientValues } from '../patients/merged-patients.ts'

/** The values that the user chooses between; the CNP is not among them. */
export const CHOSEN_FIELDS = {
  surname: 'surname',
  givenNames: 'given_names',
  previousSurname: 'previous_surname',
  birthDate: 'birth_date',
  sex: 'sex',
  phone: 'phone',
  email: 'email',
  county: 'county',
  locality: 'locality',
  address: 'address',
  preferredChannel: 'preferred_channel',
  notes: 'notes',
} as const satisfies Record<string, keyof PatientValues>
export type ChosenField = keyof typeof CHOSEN_FIELDS

const isValid = (cnp: string | null): cnp is string => cnp !== null && parseCnp(cnp).ok

/** Whether the patients have two valid CNPs, and are therefore two people. */
export const haveTwoCnps = (one: PatientValues, other: PatientValues): boolean =>
  isValid(one.cnp) && isValid(other.cnp) && one.cnp !== other.cnp

/** Returns the values with the birth date and the sex of the CNP. */
export function withCnpDetails(values: PatientValues): PatientValues {
  const details = values.cnp === null ? null : parseCnp(values.cnp)
  return details?.ok
    ? { ...values, birth_date: details.birthDate ?? values.birth_date, sex: details.sex ?? values.sex }
    : values
}

/**
 * Returns the values of the survivor after the merge: its own, those in `take` of the merged patient, and the
 * CNP of whichever has a valid one. With `keepSurname` the surname that is not kept becomes the previous one.
 */
export function mergeValues(
  survivor: PatientValues,
  merged: PatientValues,
  { take, keepSurname }: { take: readonly ChosenField[]; keepSurname: boolean },
): PatientValues {
  const taken = Object.fromEntries(
    take.map((field) => [CHOSEN_FIELDS[field], merged[CHOSEN_FIELDS[field]]]),
  ) as Partial<PatientValues>
  const values = { ...survivor, ...taken }
  const former = take.includes('surname') ? survivor.surname : merged.surname
  return withCnpDetails({
    ...values,
    cnp: isValid(survivor.cnp)
      ? survivor.cnp
      : isValid(merged.cnp)
        ? merged.cnp
        : (survivor.cnp ?? merged.cnp),
    ...(keepSurname && former !== values.surname && { previous_surname: former }),
  })
}
