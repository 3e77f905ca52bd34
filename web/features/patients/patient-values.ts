import type { Channel } from '../../../shared/patients.ts'
import { parseCnp, type Sex } from '../../../shared/romania/cnp.ts'
import { normaliseText } from '../../../shared/romania/names.ts'
import { detailsFromCnp } from '../../forms/inputs/cnp/cnp-details.ts'
import type { PatientDetails } from './patients.queries.ts'

/** The values of the form; an empty text if unknown. */
export type PatientValues = {
  surname: string
  givenNames: string
  previousSurname: string
  cnp: string
  birthDate: string | null
  sex: Sex | null
  phone: string
  email: string
  county: string
  locality: string
  address: string
  preferredChannel: Channel | null
  notes: string
}

export const EMPTY_PATIENT: PatientValues = {
  surname: '',
  givenNames: '',
  previousSurname: '',
  cnp: '',
  birthDate: null,
  sex: null,
  phone: '',
  email: '',
  county: '',
  locality: '',
  address: '',
  preferredChannel: null,
  notes: '',
}

/** Returns the form's values; `cnp` is the whole CNP, which the patient's details contain only masked. */
export const valuesOfPatient = (patient: PatientDetails, cnp: string | null): PatientValues => ({
  surname: patient.surname,
  givenNames: patient.givenNames,
  previousSurname: patient.previousSurname ?? '',
  cnp: cnp ?? '',
  birthDate: patient.birthDate,
  sex: patient.sex,
  phone: patient.phone ?? '',
  email: patient.email ?? '',
  county: patient.county ?? '',
  locality: patient.locality ?? '',
  address: patient.address ?? '',
  preferredChannel: patient.preferredChannel,
  notes: patient.notes ?? '',
})

/**
 * Returns the values of a new patient from a search without result: a CNP, or a name as surname and given
 * names.
 */
export function valuesOfSearch(search: string): PatientValues {
  const text = normaliseText(search)
  if (parseCnp(text).ok) return withCnp(EMPTY_PATIENT, text)
  if (text === '' || /\d/.test(text)) return EMPTY_PATIENT
  const [surname = '', ...givenNames] = text.split(' ').map(capitalise)
  return { ...EMPTY_PATIENT, surname, givenNames: givenNames.join(' ') }
}

const capitalise = (word: string): string =>
  word.replace(
    /(^|-)(\p{Ll})/gu,
    (_, before: string, letter: string) => before + letter.toLocaleUpperCase('ro'),
  )

/**
 * Returns the values with another CNP; a complete and valid CNP also sets the birth date and the sex that it
 * contains.
 */
export function withCnp(values: PatientValues, cnp: string): PatientValues {
  const fromCnp = detailsFromCnp(cnp)
  return { ...values, cnp, birthDate: fromCnp.birthDate ?? values.birthDate, sex: fromCnp.sex ?? values.sex }
}
