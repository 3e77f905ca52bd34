import type { ReactNode } from 'react'
import { Button } from '../base/button.tsx'
import { classNames } from '../base/class-names.ts'
import { type LinkTarget, PlainLink } from '../base/link.tsx'
import { Skeleton } from '../base/loading.tsx'

export interface Column<Row> {
  id: string
  /** Also the label in front of the value where the row is a card. */
  header: string
  /** Nothing (null, undefined, an empty text) leaves the line out of the card. */
  cell: (row: Row) => ReactNode
  align?: 'start' | 'end' | undefined
  /**
   * `title`: the row's name, which carries its link; it heads the card. One a table.
   * `actions`: buttons; the header is read aloud only.
   */
  kind?: 'title' | 'actions' | undefined
  /** A width or a visibility, as classes: `w-40`, `@max-4xl/table:hidden`. */
  className?: string | undefined
}

export interface TableProps<Row> {
  /** What the table lists, read aloud. */
  label: string
  columns: readonly Column<Row>[]
  /** null while the first page is on its way. */
  rows: readonly Row[] | null
  rowId: (row: Row) => string
  /** The whole row leads there. */
  rowLink?: ((row: Row) => LinkTarget) | undefined
  /** Instead of the table when there are no rows: an EmptyState. */
  empty: ReactNode
  /** Under the rows: `Încarcă mai multe`. */
  more?: { hasMore: boolean; isLoading: boolean; onLoadMore: () => void } | undefined
  /** How many grey rows stand while loading. */
  skeletonRows?: number | undefined
  className?: string | undefined
}

/**
 * The roles are written out because a `display` other than `table`, which the cards need, takes them away in WebKit.
 */
const roles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader', scope: 'col' },
  cell: { role: 'cell' },
}

export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, rows, rowId, rowLink, empty, more, skeletonRows = 6, className } = props
  if (rows?.length === 0 && !more?.hasMore) return empty
  return (
    <div className={classNames('@container/table min-w-0', className)}>
      <table {...roles.table} className="data-table" aria-label={label} aria-busy={rows === null}>
        <thead {...roles.group}>
          <tr {...roles.row}>
            {columns.map((column) => (
              <th
                key={column.id}
                {...roles.header}
                className={column.className}
                data-align={column.align}
                data-actions={column.kind === 'actions' || undefined}
              >
                {column.kind === 'actions' ? <span className="sr-only">{column.header}</span> : column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...roles.group}>
          {rows === null
            ? Array.from({ length: skeletonRows }, (_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the grey rows have nothing else
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
      {rows && more?.hasMore && (
        <div className="flex justify-center py-4 print:hidden">
          <Button onPress={more.onLoadMore} isPending={more.isLoading}>
            Încarcă mai multe
          </Button>
        </div>
      )}
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
    <tr {...roles.row}>
      {columns.map((column) => {
        const content = column.cell(row)
        const isEmpty = content === null || content === undefined || content === ''
        return (
          <td
            key={column.id}
            {...roles.cell}
            className={column.className}
            data-label={column.header}
            data-align={column.align}
            data-title={column.kind === 'title' || undefined}
            data-actions={column.kind === 'actions' || undefined}
            data-empty={isEmpty || undefined}
          >
            {link && column.kind === 'title' ? (
              <PlainLink {...link} className="row-link">
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
    <tr {...roles.row}>
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...roles.cell}
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
