import { ALL_DEPARTMENTS, INBOX_VIEWS, type InboxFilters } from '../../../../shared/uploads/inbox.ts'
import type { InboxVariables } from '../inbox.queries.ts'

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
