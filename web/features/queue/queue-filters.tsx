import { type ReactNode, useState } from 'react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { LATE_NAMES } from '../../../shared/uploads/turnaround.ts'
import {
  type TurnaroundStep,
  UPLOAD_SENDERS,
  type UploadSender,
} from '../../../shared/uploads/upload-state-list.ts'
import { UPLOAD_SENDER_NAMES } from '../../../shared/uploads/upload-states.ts'
import { Button } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { SearchField } from '../../ui/controls/search-field.tsx'
import { ComboBox } from '../../ui/options/combo-box.tsx'
import { Select } from '../../ui/options/select.tsx'
import { useCategoryOptions } from '../categories/use-category-options.ts'
import { InstitutionFilter } from './institution-filter.tsx'

export type QueueFilters = {
  category?: string
  institution?: string
  mine?: true
  /** The earliest day on which the upload got its state, yyyy-MM-dd. */
  since?: string
  /** The latest such day. */
  until?: string
  unopened?: true
  sender?: UploadSender
  /** Only released uploads whose step took longer than its target. */
  late?: TurnaroundStep
}

const senders = [
  { id: 'all' as const, label: 'Orice sursă' },
  ...UPLOAD_SENDERS.map((id) => ({ id, label: UPLOAD_SENDER_NAMES[id] })),
]

/** The filters of the queue; on a phone all but the search are behind a button. */
export function QueueFilterBar({
  filters,
  text,
  onChange,
  onType,
  onSubmit,
  onClear,
  isLoading,
  actions,
}: {
  filters: QueueFilters
  /** The text of the search field. */
  text: string
  /** Called with all filters, including the unchanged ones. */
  onChange: (filters: QueueFilters) => void
  onType: (text: string) => void
  /** Called at Enter in the search field. */
  onSubmit: () => void
  onClear: () => void
  isLoading: boolean
  /** At the end of the row. */
  actions: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const categories = useCategoryOptions(filters.category)
  const hidden = Object.keys(filters).length
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <SearchField
        label="Caută după numele pacientului, examinare sau număr"
        placeholder="Nume, CNP, examinare"
        value={text}
        onChange={onType}
        onSubmit={onSubmit}
        isLoading={isLoading && text !== ''}
        className="min-w-44 flex-1 sm:max-w-64"
      />
      <Button icon="filter" className="sm:hidden" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
        {hidden > 0 ? `Filtre (${hidden})` : 'Filtre'}
      </Button>
      <div className={classNames('contents', !isOpen && 'max-sm:hidden')}>
        <ComboBox
          label="Categorie"
          hideLabel
          placeholder="Categorie"
          options={categories}
          value={filters.category ?? null}
          onChange={(slug) => onChange(withFilter(filters, 'category', slug))}
          className="w-full sm:w-40"
        />
        <InstitutionFilter
          value={filters.institution ?? null}
          onChange={(id) => onChange(withFilter(filters, 'institution', id))}
        />
        <Select
          label="Sursă"
          hideLabel
          options={senders}
          value={filters.sender ?? 'all'}
          onChange={(id) => onChange(withFilter(filters, 'sender', id === 'all' ? null : id))}
          className="w-full sm:w-46"
        />
        <Checkbox
          isSelected={filters.mine ?? false}
          onChange={(isSelected) => onChange(withFilter(filters, 'mine', isSelected || null))}
        >
          Doar ale mele
        </Checkbox>
      </div>
      {filters.since && (
        <Button trailingIcon="close" onPress={() => onChange(withFilter(filters, 'since', null))}>
          {`Din ${formatDate(filters.since)}`}
        </Button>
      )}
      {filters.until && (
        <Button trailingIcon="close" onPress={() => onChange(withFilter(filters, 'until', null))}>
          {`Până la ${formatDate(filters.until)}`}
        </Button>
      )}
      {filters.unopened && (
        <Button trailingIcon="close" onPress={() => onChange(withFilter(filters, 'unopened', null))}>
          Nedeschise
        </Button>
      )}
      {filters.late && (
        <Button trailingIcon="close" onPress={() => onChange(withFilter(filters, 'late', null))}>
          {LATE_NAMES[filters.late]}
        </Button>
      )}
      {(hidden > 0 || text) && (
        <Button variant="quiet" icon="close" onPress={onClear}>
          Șterge filtrele
        </Button>
      )}
      <span className="ml-auto print:hidden">{actions}</span>
    </div>
  )
}

function withFilter<Name extends keyof QueueFilters>(
  filters: QueueFilters,
  name: Name,
  value: QueueFilters[Name] | null,
): QueueFilters {
  const { [name]: _, ...rest } = filters
  return value ? { ...rest, [name]: value } : rest
}
