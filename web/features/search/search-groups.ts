import { addressOf, PLACES } from '../../../shared/access/places.ts'
import { lookUp } from '../../../shared/look-up.ts'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { UPLOAD_STATE_NAMES } from '../../../shared/uploads/upload-states.ts'
import type { SessionUser } from '../../session/session.ts'
import { type IconName, isIconName } from '../../ui/base/icon.tsx'
import type { Hits, SearchIndex, SearchResult } from './search-client.ts'

/** A result in the list. */
export type SearchRow = {
  id: string
  href: string
  icon: IconName
  title: string
  note: string
  /** Found by a near name, since nothing matches exactly. */
  isNear?: boolean
}
export type SearchGroup = { id: string; title: string; rows: readonly SearchRow[] }

type Person = Pick<SessionUser, 'role' | 'features'>

/** The scope of a search: all indices, or one. */
export type SearchScope = 'all' | Exclude<SearchIndex, 'screens'>

/** Returns the scopes of a user, each with its name. */
export function scopesOf({ role, features }: Person): { id: SearchScope; label: string }[] {
  const hasFiles = features.includes('patient::files')
  if (role === 'institution') {
    const results = { id: 'uploads', label: 'Rezultate' } as const
    return [
      { id: 'all', label: 'Toate' },
      { id: 'patients', label: 'Pacienți' },
      ...(hasFiles ? [results] : []),
    ]
  }
  const uploads = { id: 'uploads', label: 'Încărcări' } as const
  const categories = { id: 'categories', label: 'Categorii' } as const
  return [
    { id: 'all', label: 'Toate' },
    { id: 'patients', label: 'Pacienți' },
    { id: 'institutions', label: 'Instituții' },
    ...(hasFiles ? [uploads] : []),
    // A category links to its uploads in review.
    ...(features.includes('admin::review-files') ? [categories] : []),
  ]
}

/** Returns the placeholder of the search field and the hint below it. */
export function describeSearch({ role, features }: Person): { placeholder: string; hint: string } {
  const hasFiles = features.includes('patient::files')
  if (role === 'institution') {
    return hasFiles
      ? {
          placeholder: 'Pacient sau rezultat',
          hint: 'Scrieți numele, CNP-ul sau data nașterii unui pacient ori examinarea sau numărul unui rezultat.',
        }
      : { placeholder: 'Pacient', hint: 'Scrieți numele, CNP-ul sau data nașterii unui pacient.' }
  }
  const people = 'Se caută după numele, CNP-ul, data nașterii sau telefonul unui pacient'
  return hasFiles
    ? {
        placeholder: 'Pacient, instituție sau încărcare',
        hint: `${people}, numele unei instituții ori examinarea sau numărul unei încărcări.`,
      }
    : { placeholder: 'Pacient sau instituție', hint: `${people} ori numele unei instituții.` }
}

/** Returns the indices of a scope, in the order of their results. */
export function indicesOf(scope: SearchScope, person: Person): SearchIndex[] {
  if (scope !== 'all') return [scope]
  return ['screens', ...scopesOf(person).flatMap(({ id }) => (id === 'all' ? [] : [id]))]
}

/** Groups the results by index; an index without results has no group. */
export function groupsOf(results: readonly SearchResult[], person: Person): SearchGroup[] {
  return results.map((result) => groupOf(result, person)).filter(({ rows }) => rows.length > 0)
}

function groupOf(result: SearchResult, person: Person): SearchGroup {
  const isInstitution = person.role === 'institution'
  switch (result.index) {
    case 'screens':
      return { id: 'screens', title: 'Ecrane', rows: result.hits.map(screenRow) }
    case 'patients':
      return { id: 'patients', title: 'Pacienți', rows: result.hits.map((hit) => patientRow(hit, person)) }
    case 'institutions':
      return { id: 'institutions', title: 'Instituții', rows: result.hits.map(institutionRow) }
    case 'uploads': {
      const title = isInstitution ? 'Rezultate' : 'Încărcări'
      return { id: 'uploads', title, rows: result.hits.map((hit) => uploadRow(hit, isInstitution)) }
    }
    case 'categories':
      return { id: 'categories', title: 'Categorii', rows: result.hits.map(categoryRow) }
  }
}

const join = (...parts: (string | null | false)[]): string => parts.filter(Boolean).join(' · ')
const address = (path: string, search: Record<string, string>) => `${path}?${new URLSearchParams(search)}`

/** The row itself shows the birth date. */
const reasonNote = (reason: Hits['patients'][number]['reason']): string | null =>
  reason && reason.kind !== 'BIRTH_DATE' ? reason.text : null

const screenRow = ({ objectID, title }: Hits['screens'][number]): SearchRow => ({
  id: objectID,
  href: objectID,
  icon: PLACES.find((place) => addressOf(place) === objectID)?.icon ?? 'arrow-right',
  title,
  note: '',
})

function patientRow(hit: Hits['patients'][number], { role, features }: Person): SearchRow {
  const { objectID, name, cnpMasked, birthDate, number, reason } = hit
  // An institution without the feature `patient::files` has the list of patients, but no page of a patient.
  const parameters = features.includes('patient::files')
    ? { tab: 'pacienti', patient: objectID }
    : { tab: 'pacienti' }
  return {
    id: `patient-${objectID}`,
    href: role === 'institution' ? address('/institution', parameters) : `/patients/${objectID}`,
    icon: 'user',
    title: name,
    isNear: reason?.kind === 'NEAR_NAME',
    note: join(
      reasonNote(reason),
      cnpMasked && `CNP ${cnpMasked}`,
      birthDate && formatDate(birthDate),
      `nr.\u00a0${number}`,
    ),
  }
}

export const institutionRow = ({
  objectID,
  name,
  code,
  locality,
}: Hits['institutions'][number]): SearchRow => ({
  id: `institution-${objectID}`,
  href: `/institutions/${encodeURIComponent(objectID)}`,
  icon: 'hospital',
  title: name,
  note: join(code, locality),
})

function uploadRow(hit: Hits['uploads'][number], isInstitution: boolean): SearchRow {
  const { objectID, number, title, state, createdAt, releasedAt, patientName, reason } = hit
  return {
    id: `upload-${objectID}`,
    href: isInstitution ? address('/institution', { upload: objectID }) : `/uploads/${objectID}`,
    icon: 'file',
    title,
    isNear: reason?.kind === 'NEAR_NAME',
    note: join(
      patientName,
      reasonNote(reason),
      !isInstitution && (lookUp(UPLOAD_STATE_NAMES, state) ?? state),
      formatDate(releasedAt ?? createdAt),
      `nr.\u00a0${number}`,
    ),
  }
}

const categoryRow = ({ objectID, name, icon }: Hits['categories'][number]): SearchRow => ({
  id: `category-${objectID}`,
  href: address('/uploads', { category: objectID }),
  icon: icon && isIconName(icon) ? icon : 'documents',
  title: name,
  note: 'Ce așteaptă verificare',
})
