import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { classNames } from '../../ui/base/class-names.ts'
import { Skeleton } from '../../ui/base/loading.tsx'
import { LoadMore, type MorePages } from '../../ui/page/load-more.tsx'
import type { BatchGroup } from './batches.queries.ts'
import { GRID_ROLES, GROUP_COLUMNS, WIDE_ONLY } from './group-row.tsx'

/**
 * The groups as a table of rows that take the focus, one of them at a time. When the row with the focus leaves the list, the
 * row in its place gets it, or the tab of a list without rows.
 */
export function GroupTable({
  groups,
  cursor,
  renderRow,
  empty,
  more,
}: {
  groups: readonly BatchGroup[] | null
  /** The id of the row that has the focus, or gets it first. */
  cursor: string | null
  renderRow: (group: BatchGroup) => ReactNode
  empty: ReactNode
  more: MorePages
}) {
  const table = useRef<HTMLTableElement>(null)
  const emptyList = useRef<HTMLDivElement>(null)
  const focused = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const isLost = focused.current !== null && !focused.current.isConnected
    if (!isLost || document.activeElement !== document.body) return
    if (groups?.length !== 0) return focusRow(table.current, cursor)
    // Without rows the tab of the list is where the arrow keys go on.
    const tab = emptyList.current?.closest('[role=tabpanel]')?.getAttribute('aria-labelledby')
    if (tab) document.getElementById(tab)?.focus()
  })
  if (groups?.length === 0) return <div ref={emptyList}>{empty}</div>
  return (
    <div className="@container/table min-w-0">
      <table
        ref={table}
        {...GRID_ROLES.grid}
        aria-label="Grupuri"
        aria-busy={groups === null}
        className="data-table"
        onFocus={({ target }) => {
          focused.current = target.closest('tr')
        }}
      >
        <thead {...GRID_ROLES.group}>
          <tr {...GRID_ROLES.row}>
            {GROUP_COLUMNS.map((header) => (
              <th
                key={header}
                {...GRID_ROLES.header}
                className={header === 'Instituție' ? WIDE_ONLY : undefined}
              >
                {header}
              </th>
            ))}
            <th {...GRID_ROLES.header} data-actions>
              <span className="sr-only">Acțiuni</span>
            </th>
          </tr>
        </thead>
        <tbody {...GRID_ROLES.group}>{groups ? groups.map(renderRow) : <Placeholders />}</tbody>
      </table>
      {groups && <LoadMore {...more} />}
    </div>
  )
}

/** Focuses the row of a group; nothing if it is not on the screen. */
export function focusRow(within: ParentNode | null, id: string | null): void {
  within?.querySelector<HTMLElement>(`tr[data-group="${id}"]`)?.focus()
}

const Placeholders = () =>
  Array.from({ length: 6 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows have no id
    <tr key={row}>
      {[...GROUP_COLUMNS, ''].map((column, index) => (
        <td key={column}>
          <Skeleton className={classNames('h-4', index % 2 ? 'w-4/5' : 'w-3/5')} />
        </td>
      ))}
    </tr>
  ))
