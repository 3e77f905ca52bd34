import { useQuery } from '@apollo/client/react'
import { useState } from 'react'
import { OUTCOME_NAMES, OUTCOMES, type Outcome } from '../../../shared/audit/outcomes.ts'
import { client } from '../../api/client.ts'
import { listProblem } from '../../api/client-error.ts'
import { DayFilter } from '../../forms/inputs/datepicker/day-filter.tsx'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import type { LoadOptions } from '../../ui/options/option-loader.ts'
import { Select } from '../../ui/options/select.tsx'
import { useLoadedOptions } from '../../ui/options/use-loaded-options.ts'
import { ACTION_GROUPS } from './action-options.ts'
import { AUDIT_PEOPLE } from './audit.queries.ts'
import { type LogFilters, withLogFilter } from './log-filters.ts'

const OUTCOME_OPTIONS = [
  { id: 'all' as const, label: 'Oricare' },
  ...OUTCOMES.map((id) => ({ id, label: OUTCOME_NAMES[id] })),
]

interface LogsFilterBarProps {
  filters: LogFilters
  /** Called with all filters, including the unchanged ones. */
  onChange: (filters: LogFilters) => void
  /** The name of the patient in the filter. */
  patientName: string | null
  /** Whether the log can be filtered by person; staff see only their own entries. */
  hasPeople: boolean
}

/** The filters of the audit log; on a phone they are behind a button. */
export function LogsFilterBar({ filters, onChange, patientName, hasPeople }: LogsFilterBarProps) {
  const [isOpen, setOpen] = useState(false)
  const { reads, ...narrowing } = filters
  const count = Object.keys(narrowing).length
  const set = <Name extends keyof LogFilters>(name: Name, value: LogFilters[Name] | null) =>
    onChange(withLogFilter(filters, name, value))
  return (
    <div className="mb-5 grid gap-3 print:hidden">
      <Button
        icon="filter"
        className="justify-self-start sm:hidden"
        aria-expanded={isOpen}
        onPress={() => setOpen(!isOpen)}
      >
        {count > 0 ? `Filtre (${count})` : 'Filtre'}
      </Button>
      <div
        className={classNames(
          'grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4',
          hasPeople && 'xl:grid-cols-[10rem_10rem_minmax(0,1fr)_minmax(0,1fr)_10rem]',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <DayFilter label="De la" value={filters.from} max={filters.to} onChange={(day) => set('from', day)} />
        <DayFilter label="Până la" value={filters.to} min={filters.from} onChange={(day) => set('to', day)} />
        {hasPeople && (
          <PersonFilter value={filters.person ?? null} onChange={(person) => set('person', person)} />
        )}
        <ComboBox
          label="Acțiune"
          placeholder="Toate acțiunile"
          options={ACTION_GROUPS}
          value={filters.action ?? null}
          onChange={(action) => set('action', action)}
        />
        <Select<Outcome | 'all'>
          label="Rezultat"
          options={OUTCOME_OPTIONS}
          value={filters.outcome ?? 'all'}
          onChange={(outcome) => set('outcome', outcome === 'all' ? null : outcome)}
        />
      </div>
      <Checkbox
        isSelected={!reads}
        isDisabled={filters.action !== undefined}
        onChange={(isWithout) => set('reads', isWithout ? null : true)}
        help="Ascunde cine a răsfoit liste, a căutat sau a citit jurnalul."
        className={classNames('justify-self-start', !isOpen && 'max-sm:hidden')}
      >
        Fără consultări
      </Checkbox>
      {count > 0 && (
        <div className="flex flex-wrap gap-2">
          {filters.patient && (
            <Button trailingIcon="close" onPress={() => set('patient', null)}>
              {`Doar despre ${patientName ?? 'pacientul ales'}`}
            </Button>
          )}
          <Button variant="quiet" icon="close" onPress={() => onChange(reads ? { reads } : {})}>
            Șterge filtrele
          </Button>
        </div>
      )}
    </div>
  )
}

const loadPeople: LoadOptions = async (search) => {
  const { data, error } = await client.query({ query: AUDIT_PEOPLE, variables: { search } })
  if (!data) throw error
  return { options: data.auditPeople.map(asOption), next: null }
}

const asOption = ({ id, name, email }: { id: string; name: string; email: string }) => ({
  id,
  label: name,
  description: email,
})

function PersonFilter({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { error, ...source } = useLoadedOptions(loadPeople)
  const { data } = useQuery(AUDIT_PEOPLE, {
    variables: { id: value },
    skip: value === null,
    fetchPolicy: 'cache-first',
  })
  return (
    <ComboBox
      label="Persoană"
      placeholder="Oricine"
      {...source}
      chosen={data?.auditPeople.map(asOption) ?? []}
      problem={listProblem(error)}
      value={value}
      onChange={onChange}
      emptyText="Nimeni cu acest nume"
    />
  )
}
