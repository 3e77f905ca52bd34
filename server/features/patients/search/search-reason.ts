import { keyWords, nameWords, queryWords, wordsBeginWith } from '../../../../shared/romania/names.ts'
import { formatPhone } from '../../../../shared/romania/phone.ts'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import type { SearchReasonKind } from '../../../../shared/search-reasons.ts'
import type { UserCtx } from '../../../context.ts'
import { canEditPatients } from '../patients.access.ts'
import type { PatientRow } from '../patients.db.ts'
import { type Days, type Digits, isYear, type PatientQuery, readPatientQuery, yearOf } from './read-query.ts'
import { splitLocality } from './search-patients.ts'

/** `text` is for people. */
export type SearchReason = { kind: SearchReasonKind; text: string }

/** Why a row of a list was found. */
export type RowReason = SearchReason & { rowId: string }

/** Returns the reasons of those rows that have one. */
export const listReasons = <Row extends { id: string }>(
  rows: readonly Row[],
  reasonOf: (row: Row) => SearchReason | null,
): RowReason[] =>
  rows.flatMap((row) => {
    const reason = reasonOf(row)
    return reason ? [{ rowId: row.id, ...reason }] : []
  })

/** Returns why a search for a text has found the patients, without what is hidden from the actor. */
export function listPatientReasons(
  { actor }: UserCtx,
  patients: readonly PatientRow[],
  text: string,
): RowReason[] {
  const query = readPatientQuery(text)
  return listReasons(patients, (patient) =>
    findSearchReason(canEditPatients(actor) ? patient : { ...patient, phone: null, locality: null }, query),
  )
}

/** What a patient was found by; `phone` and `locality` are null for a reader who may not know them. */
export type FoundBy = {
  surname: string
  given_names: string
  previous_surname: string | null
  cnp: string | null
  birth_date: string | null
  sex: string | null
  number: number
  phone: string | null
  locality: string | null
  /** Null where only the name itself was read. */
  name_key: string | null
}

/**
 * Returns why a search finds the patient; null if the name says it. The search is compared with the patient alone, so
 * the reason says nothing about any other.
 */
export function findSearchReason(patient: FoundBy, query: PatientQuery): SearchReason | null {
  switch (query.kind) {
    case 'nothing':
      return null
    case 'digits':
      return reasonOfDigits(patient, query)
    case 'born':
      return bornReason(patient, query.born)
    case 'name':
      return reasonOfName(patient, query)
  }
}

function reasonOfDigits(patient: FoundBy, sought: Digits): SearchReason | null {
  const { cnp, phone, number } = patient
  const { digits } = sought
  if (cnp?.startsWith(digits) || cnp?.endsWith(digits)) return { kind: 'CNP', text: 'CNP' }
  if (phone && (phone === sought.phone || phone.endsWith(digits))) {
    return { kind: 'PHONE', text: `telefon …${formatPhone(phone).replaceAll(' ', '').slice(-3)}` }
  }
  if (String(number) === digits) return { kind: 'NUMBER', text: `nr. ${number}` }
  return isYear(digits) ? bornReason(patient, yearOf(digits)) : null
}

function bornReason({ birth_date, sex }: FoundBy, { from, to }: Days): SearchReason | null {
  if (birth_date === null || birth_date < from || birth_date > to) return null
  const born = sex === 'female' ? 'născută' : 'născut'
  return { kind: 'BIRTH_DATE', text: `${born} ${formatDate(birth_date)}` }
}

/** Whether the words of the name begin with all those of one of the spellings. */
const isNamed = (words: readonly string[], spellings: readonly (readonly string[])[]): boolean =>
  spellings.some((spelling) => wordsBeginWith(words, spelling))

function reasonOfName(
  patient: FoundBy,
  { words, spellings, born }: { words: readonly string[]; spellings: string[][]; born: Days | null },
): SearchReason | null {
  const { surname, given_names, previous_surname, locality, name_key } = patient
  const reason = born && bornReason(patient, born)
  // Most names are found as they are written, which is known sooner.
  if (
    isNamed(name_key === null ? queryWords(`${surname} ${given_names}`) : keyWords(name_key), spellings) ||
    isNamed(nameWords([surname, given_names]), spellings)
  ) {
    return reason
  }
  const all = nameWords([surname, given_names, previous_surname ?? ''])
  if (isNamed(all, spellings)) {
    return reason ?? { kind: 'PREVIOUS_SURNAME', text: `nume anterior ${previous_surname}` }
  }
  const place = queryWords(locality ?? '').join(' ')
  const isLocal = splitLocality(words).some(
    (split) => place.startsWith(split.locality) && isNamed(all, [[...split.names]]),
  )
  return isLocal ? { kind: 'LOCALITY', text: locality ?? '' } : NEAR_NAME
}

const NEAR_NAME: SearchReason = { kind: 'NEAR_NAME', text: 'nume apropiat' }
