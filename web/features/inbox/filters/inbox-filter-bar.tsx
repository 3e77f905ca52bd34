import { Suspense } from 'react'
import { formatDate } from '../../../../shared/romania/romanian.ts'
import { ALL_DEPARTMENTS, type InboxFilters } from '../../../../shared/uploads/inbox.ts'
import { Button } from '../../../ui/base/button.tsx'
import { lazyNamed } from '../../../ui/base/lazy.ts'
import { Spinner } from '../../../ui/base/loading.tsx'
import { useCategoryOptions } from '../../categories/use-category-options.ts'
import type { Membership } from '../inbox.queries.ts'
import { withFilter } from './inbox-filters.ts'

const InboxFilterFields = lazyNamed(() => import('./inbox-filter-fields.tsx'), 'InboxFilterFields')

/** The filters of the inbox: what they narrow, as buttons that take it away, and their fields if they are open. */
export function InboxFilterBar({
  isOpen,
  filters,
  memberships,
  onChange,
  onClear,
}: {
  isOpen: boolean
  filters: InboxFilters
  memberships: readonly Membership[] | null
  /** Called with all filters, including the unchanged ones. */
  onChange: (filters: InboxFilters) => void
  onClear: () => void
}) {
  const categories = useCategoryOptions(filters.category)
  const remove = (name: keyof InboxFilters) => onChange(withFilter(filters, name, null))
  const { view: _, ...narrowing } = filters
  const chips = [
    filters.since && { name: 'since' as const, text: `De la ${formatDate(filters.since)}` },
    filters.until && { name: 'until' as const, text: `Până la ${formatDate(filters.until)}` },
    filters.category && {
      name: 'category' as const,
      text: categories.find(({ id }) => id === filters.category)?.label ?? 'Categorie',
    },
    filters.doctor && { name: 'doctor' as const, text: filters.doctor },
    filters.institution && {
      name: 'institution' as const,
      text:
        memberships?.find(({ institutionId }) => institutionId === filters.institution)?.institutionName ??
        'Instituție',
    },
    filters.department && {
      name: 'department' as const,
      text:
        filters.department === ALL_DEPARTMENTS
          ? 'Toate secțiile'
          : (nameOfDepartment(memberships, filters.department) ?? 'Secție'),
    },
  ].filter((chip) => !!chip)
  const own = filters.department ? [] : ownDepartments(memberships)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {own.length > 0 && (
          <Button
            trailingIcon="close"
            onPress={() => onChange(withFilter(filters, 'department', ALL_DEPARTMENTS))}
          >
            {`Secția mea: ${own.join(', ')}`}
          </Button>
        )}
        {chips.map(({ name, text }) => (
          <Button key={name} trailingIcon="close" onPress={() => remove(name)}>
            {text}
          </Button>
        ))}
        {Object.keys(narrowing).length > 0 && (
          <Button variant="quiet" onPress={onClear}>
            Șterge filtrele
          </Button>
        )}
      </div>
      {isOpen && (
        <Suspense fallback={<Spinner />}>
          <InboxFilterFields filters={filters} memberships={memberships ?? []} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}

const nameOfDepartment = (memberships: readonly Membership[] | null, id: string): string | undefined =>
  memberships?.flatMap(({ departments }) => departments).find((department) => department.id === id)?.name

const ownDepartments = (memberships: readonly Membership[] | null): string[] =>
  (memberships ?? []).flatMap(({ departmentId }) =>
    departmentId ? (nameOfDepartment(memberships, departmentId) ?? []) : [],
  )
