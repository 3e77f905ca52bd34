import type { ReactNode } from 'react'
import { classNames } from '../base/class-names.ts'
import { type LinkTarget, PlainLink } from '../base/link.tsx'
import { Skeleton } from '../base/loading.tsx'
import { LoadMore, type MorePages } from './load-more.tsx'

export interface Column<Row> {
  id: string
  /** Also the label before the value when the row is shown as a card. */
  header: string
  /** An empty value (null, undefined, an empty text) hides the line in the card. */
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end' | undefined
  /**
   * `title`: the row's name, which has the link and heads the card; one per table. `actions`: buttons; only
   * screen readers read the header.
   */
  kind?: 'title' | 'actions' | undefined
  /** Classes for width or visibility: `w-40`, `@max-4xl/table:hidden`. */
  className?: string | undefined
}

export interface TableProps<Row> {
  /** The accessible name. */
  label: string
  columns: readonly Column<Row>[]
  /** Null while the first page is loading. */
  rows: readonly Row[] | null
  rowId: (row: Row) => string
  /** The target of the link in the `title` cell, which covers the whole row. */
  rowLink?: ((row: Row) => LinkTarget) | undefined
  /** Shown instead of the table if there are no rows: an EmptyState. */
  empty: ReactNode
  /**
   * Whether each row is one line of 40 px from 1024 px on, with the column widths of the classes: a text that is longer
   * is cut off, and the row's tooltip has the whole. A column without a width takes what is left.
   */
  isDense?: boolean | undefined
  /** The button `Încarcă mai multe` under the rows. */
  more?: MorePages | undefined
  /** The number of placeholder rows while loading. */
  skeletonRows?: number | undefined
  className?: string | undefined
}

/**
 * The roles are explicit because in WebKit a `display` other than `table`, which the cards need, removes
 * them.
 */
export const TABLE_ROLES = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader', scope: 'col' },
  cell: { role: 'cell' },
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowId, rowLink, empty, more, isDense, skeletonRows = 6, className } = props
  if (rows?.length === 0 && !more?.hasMore) return empty
  return (
    <div className={classNames('@container/table min-w-0', className)}>
      <table
        {...TABLE_ROLES.table}
        className="data-table"
        data-dense={isDense}
        aria-label={label}
        aria-busy={rows === null}
      >
        <thead {...TABLE_ROLES.group}>
          <tr {...TABLE_ROLES.row}>
            {columns.map((column) => (
              <th
                key={column.id}
                {...TABLE_ROLES.header}
                className={column.className}
                data-align={column.align}
                data-actions={column.kind === 'actions' || undefined}
              >
                {column.kind === 'actions' ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...TABLE_ROLES.group}>
          {rows === null
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows have no id
                <SkeletonRow key={index} columns={columns} />
              ))
            : rows.map((row) => (
                <TableRow key={rowId(row)} row={row} columns={columns} link={rowLink?.(row)} />
              ))}
        </tbody>
      </table>
      {rows === null && (
        <span role="status" className="sr-only">
          Se încarcă
        </span>
      )}
      {rows && more && <LoadMore {...more} />}
    </div>
  )
}

function TableRow<Row>({
  row,
  columns,
  link,
}: {
  row: Row
  columns: readonly Column<Row>[]
  link: LinkTarget | undefined
}) {
  return (
    <tr {...TABLE_ROLES.row}>
      {columns.map((column) => {
        const content = column.cell(row)
        const isEmpty = content === null || content === undefined || content === ''
        return (
          <td
            key={column.id}
            {...TABLE_ROLES.cell}
            className={column.className}
            data-label={column.header}
            data-align={column.align}
            data-title={column.kind === 'title' || undefined}
            data-actions={column.kind === 'actions' || undefined}
            data-empty={isEmpty || undefined}
          >
            {link && column.kind === 'title' ? (
              <PlainLink {...link} className="row-link" data-tooltip-cut="row">
                {content}
              </PlainLink>
            ) : (
              content
            )}
          </td>
        )
      })}
    </tr>
  )
}

const skeletonWidths = ['w-3/5', 'w-4/5', 'w-1/2']

function SkeletonRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr {...TABLE_ROLES.row}>
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...TABLE_ROLES.cell}
          className={column.className}
          data-title={column.kind === 'title' || undefined}
          data-actions={column.kind === 'actions' || undefined}
        >
          <Skeleton className={classNames('h-4', skeletonWidths[index % skeletonWidths.length])} />
        </td>
      ))}
    </tr>
  )
}
