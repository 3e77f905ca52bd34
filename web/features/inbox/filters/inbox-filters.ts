import { INBOX_VIEWS, type InboxView } from '../../../../shared/uploads/inbox.ts'
import { keepStored, readStored } from '../../../ui/base/browser-storage.ts'
import type { InboxVariables } from '../inbox.queries.ts'

/** The filters of the inbox, as the address has them; its search is kept out of the address. */
export type InboxFilters = {
  view?: InboxView
  /** The first and the last day of the release, yyyy-MM-dd. */
  since?: string
  until?: string
  category?: string
  doctor?: string
  institution?: string
  /** An id, or `toate`; if absent the user's own departments count. */
  department?: string
}

export const ALL_DEPARTMENTS = 'toate'

/** The names of the filters in the address. */
const NAMES = ['view', 'since', 'until', 'category', 'doctor', 'institution', 'department'] as const

/** Returns the filters among the parameters of an address. */
export const filtersOf = (search: Partial<Record<(typeof NAMES)[number], string>>): InboxFilters =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name]
      const isKnown = name !== 'view' || INBOX_VIEWS.some((view) => view === value)
      return value && isKnown ? [[name, value]] : []
    }),
  )

export function withFilter<Name extends keyof InboxFilters>(
  filters: InboxFilters,
  name: Name,
  value: InboxFilters[Name] | null,
): InboxFilters {
  const { [name]: _, ...rest } = filters
  return value ? { ...rest, [name]: value } : rest
}

export const variablesOf = (
  { view, since, until, category, doctor, institution, department }: InboxFilters,
  search: string,
): InboxVariables => ({
  view: view ?? 'all',
  since: since ?? null,
  until: until ?? null,
  category: category ?? null,
  doctor: doctor ?? null,
  institutionId: institution ?? null,
  departmentId: department && department !== ALL_DEPARTMENTS ? department : null,
  ownDepartments: department === undefined,
  search,
})

/** The filters that the next visit begins with: neither a period, which passes, nor a view without new results. */
const KEPT = ['category', 'doctor', 'institution', 'department'] as const
const keyOf = (userId: string) => `dosar.inbox-filters.${userId}`

export const keepFilters = (userId: string, filters: InboxFilters): void =>
  keepStored(
    keyOf(userId),
    JSON.stringify(
      Object.fromEntries(KEPT.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []))),
    ),
  )

/** Returns the filters that the user had last in this browser; none if they are unreadable. */
export function readKeptFilters(userId: string): InboxFilters {
  try {
    const kept: unknown = JSON.parse(readStored(keyOf(userId)) ?? '{}')
    if (typeof kept !== 'object' || kept === null) return {}
    return Object.fromEntries(
      KEPT.flatMap((name) => {
        const value = (kept as Record<string, unknown>)[name]
        return typeof value === 'string' && value !== '' ? [[name, value]] : []
      }),
    )
  } catch {
    return {}
  }
}
