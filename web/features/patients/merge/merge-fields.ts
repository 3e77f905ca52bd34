import { CHANNEL_NAMES } from '../../../../shared/patients.ts'
import { SEX_NAMES } from '../../../../shared/romania/cnp.ts'
import { formatPhone } from '../../../../shared/romania/phone.ts'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import type { MergedPatient } from './merge.queries.ts'

type Show = (patient: MergedPatient) => string | null

/** The values that a merge chooses between, as the user reads them; null if unknown. */
export const MERGE_FIELDS = {
  surname: { label: 'Nume', show: ({ surname }) => surname },
  givenNames: { label: 'Prenume', show: ({ givenNames }) => givenNames },
  previousSurname: { label: 'Nume anterior', show: ({ previousSurname }) => previousSurname },
  birthDate: { label: 'Data nașterii', show: ({ birthDate }) => birthDate && formatDate(birthDate) },
  sex: { label: 'Sex', show: ({ sex }) => sex && SEX_NAMES[sex] },
  phone: { label: 'Telefon', show: ({ phone }) => phone && formatPhone(phone) },
  email: { label: 'E-mail', show: ({ email }) => email },
  county: { label: 'Județ', show: ({ county }) => county },
  locality: { label: 'Localitate', show: ({ locality }) => locality },
  address: { label: 'Adresă', show: ({ address }) => address },
  preferredChannel: {
    label: 'Cum preferă să fie anunțat',
    show: ({ preferredChannel }) => preferredChannel && CHANNEL_NAMES[preferredChannel],
  },
  notes: { label: 'Note', show: ({ notes }) => notes },
} as const satisfies Record<string, { label: string; show: Show }>
export type MergeField = keyof typeof MERGE_FIELDS

/** The chosen value of each field, by the id of the patient who has it. */
export type MergeChoices = Partial<Record<MergeField, string>>

/** The fields that the CNP decides, if either patient has one. */
const FROM_CNP: ReadonlySet<MergeField> = new Set(['birthDate', 'sex'])

/** Returns the fields whose values differ, so that the user has to choose. */
export function differingFields(one: MergedPatient, other: MergedPatient): MergeField[] {
  const hasCnp = one.cnpMasked !== null || other.cnpMasked !== null
  return (Object.keys(MERGE_FIELDS) as MergeField[]).filter(
    (field) =>
      (one[field] ?? '') !== (other[field] ?? '') &&
      // A birth date that only the patient without CNP has is not in question either.
      !(hasCnp && FROM_CNP.has(field)),
  )
}

const SAME = { birthDate: 'aceeași dată a nașterii', sex: 'același sex' } as const

/** Returns that the two may be two people, since they differ in what never changes; null if nothing says so. */
export function describeContradiction(one: MergedPatient, other: MergedPatient): string | null {
  const differing = (['birthDate', 'sex'] as const).filter(
    (field) => one[field] !== null && other[field] !== null && one[field] !== other[field],
  )
  return differing.length === 0
    ? null
    : `Cei doi nu au ${differing.map((field) => SAME[field]).join(' și nici ')}`
}

/** Returns the choice for a field until the user makes one: the survivor's value, if there is one. */
export const defaultChoice = (field: MergeField, survivor: MergedPatient, merged: MergedPatient): string =>
  survivor[field] ? survivor.id : merged.id
