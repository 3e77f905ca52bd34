import { useApolloClient } from '@apollo/client/react'
import { ALL_DEPARTMENTS, type InboxFilters } from '../../../../shared/uploads/inbox.ts'
import { errorMessage } from '../../../api/client-error.ts'
import { DayFilter } from '../../../forms/inputs/datepicker/day-filter.tsx'
import { Button } from '../../../ui/base/button.tsx'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { ComboBox } from '../../../ui/options/combo-box.tsx'
import type { Option } from '../../../ui/options/option.ts'
import { Select } from '../../../ui/options/select.tsx'
import { useCategoryOptions } from '../../categories/use-category-options.ts'
import { CHOOSE_DEPARTMENT, INBOX_COUNTS, type Membership } from '../inbox.queries.ts'
import { withFilter } from './inbox-filters.ts'

const OWN = 'own'

/** The fields of the filters; those of institutions and departments only where there are several. */
export function InboxFilterFields({
  filters,
  memberships,
  onChange,
}: {
  filters: InboxFilters
  memberships: readonly Membership[]
  onChange: (filters: InboxFilters) => void
}) {
  const categories = useCategoryOptions(filters.category)
  const shown = memberships.filter(
    ({ institutionId }) => !filters.institution || institutionId === filters.institution,
  )
  const hasSeveral = memberships.length > 1
  const doctors = [...new Set(shown.flatMap((each) => each.doctors.map(({ name }) => name)))].sort((a, b) =>
    a.localeCompare(b, 'ro'),
  )
  const departments: Option[] = shown.flatMap((each) =>
    each.departments.map(({ id, name }) => ({
      id,
      label: name,
      description: hasSeveral ? each.institutionName : undefined,
    })),
  )
  const hasOwn = memberships.some(({ departmentId }) => departmentId !== null)
  const set = <Name extends keyof InboxFilters>(name: Name, value: InboxFilters[Name] | null) =>
    onChange(withFilter(filters, name, value))
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-[10.5rem_10.5rem_repeat(auto-fit,minmax(11rem,1fr))]">
      <DayFilter
        label="De la"
        value={filters.since}
        max={filters.until}
        onChange={(day) => set('since', day)}
      />
      <DayFilter
        label="Până la"
        value={filters.until}
        min={filters.since}
        onChange={(day) => set('until', day)}
      />
      <ComboBox
        label="Categorie"
        placeholder="Toate categoriile"
        options={categories}
        value={filters.category ?? null}
        onChange={(slug) => set('category', slug)}
      />
      <ComboBox
        label="Medic"
        placeholder="Toți medicii"
        options={doctors.map((name) => ({ id: name, label: name }))}
        value={filters.doctor ?? null}
        onChange={(name) => set('doctor', name)}
      />
      {hasSeveral && (
        <ComboBox
          label="Instituție"
          placeholder="Toate instituțiile"
          options={memberships.map(({ institutionId, institutionName }) => ({
            id: institutionId,
            label: institutionName,
          }))}
          value={filters.institution ?? null}
          onChange={(id) => set('institution', id)}
        />
      )}
      {departments.length > 0 && (
        <div className="grid gap-1">
          <Select
            label="Secție"
            options={[
              ...(hasOwn ? [{ id: OWN, label: 'Secția mea' }] : []),
              { id: ALL_DEPARTMENTS, label: 'Toate secțiile' },
              ...departments,
            ]}
            value={filters.department ?? (hasOwn ? OWN : ALL_DEPARTMENTS)}
            onChange={(id) =>
              set('department', id === OWN || (id === ALL_DEPARTMENTS && !hasOwn) ? null : id)
            }
          />
          <OwnDepartment
            filters={filters}
            memberships={memberships}
            onChosen={() => set('department', null)}
          />
        </div>
      )}
    </div>
  )
}

/** Makes the department of the filter the user's own, or takes the own one away where all are shown. */
function OwnDepartment({
  filters: { department },
  memberships,
  onChosen,
}: {
  filters: InboxFilters
  memberships: readonly Membership[]
  onChosen: () => void
}) {
  const client = useApolloClient()
  if (!department) return null
  const isAll = department === ALL_DEPARTMENTS
  const changed = memberships.filter((each) =>
    isAll
      ? each.departmentId !== null
      : each.departmentId !== department && each.departments.some(({ id }) => id === department),
  )
  if (changed.length === 0) return null
  const choose = async () => {
    try {
      for (const { institutionId } of changed)
        await client.mutate({
          mutation: CHOOSE_DEPARTMENT,
          variables: { institutionId, departmentId: isAll ? null : department },
          // The lists that were loaded for the department before have other results.
          update: (cache) => void cache.evict({ fieldName: 'inbox' }),
          refetchQueries: [{ query: INBOX_COUNTS }],
        })
      onChosen()
    } catch (error) {
      showToast({ tone: 'error', title: 'Secția nu s-a salvat', description: errorMessage(error) })
    }
  }
  return (
    <Button variant="quiet" className="justify-self-start" onPress={() => void choose()}>
      {isAll ? 'Renunță la secția mea' : 'Fă-o secția mea'}
    </Button>
  )
}
