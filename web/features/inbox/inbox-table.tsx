import './inbox-table.css'
import type { Ref } from 'react'
import { counted, formatDateTime } from '../../../shared/romania/romanian.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { LoadMore, type MorePages } from '../../ui/page/load-more.tsx'
import { TABLE_ROLES } from '../../ui/page/table.tsx'
import { describeBirth } from '../uploads/describe-birth.ts'
import { InboxRow, WIDE_ONLY } from './inbox-row.tsx'
import type { ResultGroup } from './result-groups.ts'
import type { Selection } from './use-selection.ts'

type Column = { header: string; width?: string; isWideOnly?: true }

const COLUMNS: readonly Column[] = [
  { header: 'Primit', width: '@min-[40rem]/table:w-16' },
  { header: 'Pacient' },
  { header: 'Examinare' },
  { header: 'Medic', width: '@min-[40rem]/table:w-40' },
  { header: 'Nr. examinare', width: '@min-[40rem]/table:w-36', isWideOnly: true },
  { header: 'Fișiere', width: '@min-[40rem]/table:w-16', isWideOnly: true },
  { header: 'Stare', width: '@min-[40rem]/table:w-44' },
]
/** Of the first column where it has days instead of times. */
const DAY_WIDTH = '@min-[40rem]/table:w-24'

const WIDE_COLUMNS = COLUMNS.filter(({ isWideOnly }) => isWideOnly).length

/** The results as one table, under a line for each day or, when several people answer a search, for each of them. */
export function InboxTable({
  groups,
  selection,
  hasInstitutions,
  onFocus,
  more,
  ref,
}: {
  /** null while the first page loads. */
  groups: readonly ResultGroup[] | null
  selection: Selection
  /** Whether each result names its institution. */
  hasInstitutions: boolean
  /** Called with what gets the focus in the table. */
  onFocus: (target: Element) => void
  more: MorePages
  ref: Ref<HTMLTableElement>
}) {
  const count = groups?.reduce((sum, { results }) => sum + results.length, 0) ?? 0
  const isByDay = groups?.[0]?.kind !== 'person'
  const chosen = selection.ids.length
  const columnCount = COLUMNS.length + (hasInstitutions ? 2 : 1)
  return (
    <div className="@container/table min-w-0">
      <p className="hidden print:mb-2 print:block">
        {counted(chosen || count, 'rezultat', 'rezultate')}, listă tipărită la{' '}
        {formatDateTime(new Date().toISOString())}
      </p>
      <table
        {...TABLE_ROLES.table}
        ref={ref}
        onFocus={({ target }) => onFocus(target)}
        aria-label="Rezultate"
        aria-busy={groups === null}
        className="data-table inbox-table"
        data-has-selection={chosen > 0 || undefined}
      >
        <thead {...TABLE_ROLES.group}>
          <tr {...TABLE_ROLES.row}>
            <th {...TABLE_ROLES.header} data-actions className="w-12 print:hidden">
              <Checkbox
                aria-label="Alege toate rezultatele din listă"
                isSelected={chosen > 0 && chosen === count}
                isIndeterminate={chosen > 0 && chosen < count}
                isDisabled={count === 0}
                onChange={(areChosen) => selection.setAll(areChosen)}
                className="min-h-0! items-center! py-0!"
              />
            </th>
            {COLUMNS.map(({ header, width, isWideOnly }, place) => (
              <th
                key={header}
                {...TABLE_ROLES.header}
                className={classNames(place === 0 && !isByDay ? DAY_WIDTH : width, isWideOnly && WIDE_ONLY)}
              >
                {header}
              </th>
            ))}
            {hasInstitutions && (
              <th {...TABLE_ROLES.header} className="@min-[40rem]/table:w-36">
                Instituție
              </th>
            )}
          </tr>
        </thead>
        {groups ? (
          groups.map((group) => (
            <tbody key={group.key} {...TABLE_ROLES.group}>
              <tr {...TABLE_ROLES.row} className="group-heading">
                <td {...TABLE_ROLES.cell} colSpan={columnCount - WIDE_COLUMNS}>
                  <GroupHeading group={group} />
                </td>
                {/* A cell over columns that are not shown would make room for them. */}
                <td {...TABLE_ROLES.cell} colSpan={WIDE_COLUMNS} className={WIDE_ONLY} />
              </tr>
              {group.results.map((result) => (
                <InboxRow
                  key={result.id}
                  result={result}
                  isByDay={isByDay}
                  isChosen={selection.has(result.id)}
                  onChoose={(isRange) => selection.toggle(result.id, isRange)}
                  hasInstitution={hasInstitutions}
                />
              ))}
            </tbody>
          ))
        ) : (
          <Placeholders columnCount={columnCount} />
        )}
      </table>
      {groups === null && (
        <span role="status" aria-label="Se încarcă" className="sr-only">
          Se încarcă
        </span>
      )}
      {groups && <LoadMore {...more} />}
    </div>
  )
}

function GroupHeading({ group }: { group: ResultGroup }) {
  if (group.kind === 'day') return group.title
  const { name, sex, birthDate, cnpMasked } = group.patient
  return (
    <span className="text-sm text-ink">
      <span className="font-semibold">{name}</span>{' '}
      <span className="text-muted tabular-nums">
        {[birthDate && describeBirth(sex, birthDate), cnpMasked && `CNP ${cnpMasked}`]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}

const Placeholders = ({ columnCount }: { columnCount: number }) => (
  <tbody {...TABLE_ROLES.group}>
    {Array.from({ length: 8 }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows have no id
      <tr key={row} {...TABLE_ROLES.row}>
        <td {...TABLE_ROLES.cell} colSpan={columnCount}>
          <Skeleton className={classNames('h-4', row % 2 ? 'w-4/5' : 'w-3/5')} />
        </td>
      </tr>
    ))}
  </tbody>
)
