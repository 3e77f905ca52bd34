import { useEffect, useLayoutEffect, useRef } from 'react'
import { OWN_UPLOAD_MARK, OWN_UPLOAD_MESSAGE } from '../../../shared/uploads/upload-states.ts'
import type { RowReason } from '../../lists/search-reasons.queries.ts'
import { SearchReason } from '../../lists/search-reasons.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { Unknown } from '../../ui/page/description-list.tsx'
import { type Column, Table, type TableProps } from '../../ui/page/table.tsx'
import { CategoryPath } from '../categories/category-path.tsx'
import { describeRelease } from '../uploads/release-time.ts'
import { DisagreeingMark, SentByMark } from '../uploads/upload-state-pill.tsx'
import { useNow } from '../uploads/use-now.ts'
import { WaitingAge } from '../uploads/waiting-age.tsx'
import type { UploadLine } from './queue.queries.ts'

/** The queue as a table; the arrow keys move between rows and Enter opens a row. */
export function QueueTable({
  rows,
  freshIds,
  sinceLabel,
  selection,
  empty,
  more,
  reasons,
}: Pick<TableProps<UploadLine>, 'rows' | 'empty' | 'more'> & {
  /** Why the search has found the rows. */
  reasons: readonly RowReason[] | undefined
  /** The ids of uploads that arrived while the list was on the screen. */
  freshIds: ReadonlySet<string>
  /** The event from which the age counts: `Așteaptă`, `Respinsă`. */
  sinceLabel: string
  /** The chosen rows; null: rows are not being chosen. */
  selection: RowSelection | null
}) {
  const now = useNow()
  const columns: Column<UploadLine>[] = [
    ...(selection ? [selectColumn(selection)] : []),
    {
      id: 'since',
      header: sinceLabel,
      cell: ({ state, stateSince }) => <WaitingAge state={state} since={stateSince} now={now} />,
      className: 'whitespace-nowrap lg:w-36',
    },
    {
      id: 'number',
      header: 'Număr',
      cell: ({ number }) => <span className="tabular-nums">{number}</span>,
      className: 'lg:w-22',
    },
    {
      id: 'title',
      header: 'Titlu',
      kind: 'title',
      cell: ({ id, title, isDisagreeing, ...upload }) => (
        <span className="lg:flex lg:items-center lg:gap-2">
          {freshIds.has(id) && (
            <span className="max-lg:mr-2">
              <FreshMark />
            </span>
          )}
          <span className="lg:truncate">{title}</span>
          {upload.sentBy && <SentByMark institution={upload.sentBy} isShort />}
          {isDisagreeing && <DisagreeingMark isShort />}
          <PolicyLine upload={upload} now={now} />
        </span>
      ),
    },
    {
      id: 'patient',
      header: 'Pacient',
      cell: ({ id, patient }) =>
        patient ? (
          <span className="min-w-0 lg:flex lg:items-baseline lg:gap-2">
            <span className="block lg:truncate">{patient.name}</span>
            <SearchReason rowId={id} reasons={reasons} />
            {patient.cnpMasked && <Cnp masked={patient.cnpMasked} />}
          </span>
        ) : (
          <span className="text-muted">neales</span>
        ),
      className: 'lg:w-64',
    },
    {
      id: 'category',
      header: 'Categorie',
      cell: ({ category }) => (category ? <CategoryPath category={category} /> : <Unknown />),
      className: 'lg:w-52',
    },
    {
      id: 'institution',
      header: 'Instituție',
      cell: ({ institution }) => institution?.name ?? <Unknown />,
      className: 'lg:w-32 lg:@max-5xl/table:hidden',
    },
    {
      id: 'files',
      header: 'Fișiere',
      align: 'end',
      cell: ({ fileCount }) => fileCount,
      className: 'lg:w-20 lg:@max-[60rem]/table:hidden',
    },
    {
      id: 'author',
      header: 'Încărcată de',
      cell: ({ authorName }) => authorName,
      className: 'lg:w-36 @max-7xl/table:hidden',
    },
  ]
  const list = useRowFocus(rows)
  return (
    <div ref={list}>
      <Table
        label="Încărcări"
        columns={columns}
        rows={rows}
        rowId={({ id }) => id}
        rowLink={({ id }) => ({ to: '/uploads/$uploadId', params: { uploadId: id } })}
        isDense
        empty={empty}
        more={more}
      />
    </div>
  )
}

/** A masked CNP, which never breaks; in a row of one line only the digits that are not masked are seen. */
function Cnp({ masked }: { masked: string }) {
  const shown = masked.search(/\d+$/)
  return (
    <span className="block shrink-0 text-xs whitespace-nowrap text-muted tabular-nums lg:before:content-['…']">
      <span className="lg:sr-only">CNP {masked.slice(0, shown)}</span>
      {masked.slice(shown)}
    </span>
  )
}

export type RowSelection = { ids: ReadonlySet<string>; onChange: (ids: ReadonlySet<string>) => void }

const selectColumn = ({ ids, onChange }: RowSelection): Column<UploadLine> => ({
  id: 'select',
  header: 'Alege',
  kind: 'actions',
  className: 'lg:w-14',
  cell: ({ id, number }) => (
    <Checkbox
      aria-label={`Alege încărcarea nr. ${number}`}
      isSelected={ids.has(id)}
      onChange={(isSelected) => {
        const next = new Set(ids)
        if (isSelected) next.add(id)
        else next.delete(id)
        onChange(next)
      }}
    />
  ),
})

/** Whether the user filed the upload and may accept it or not, and what it needs besides one verdict. */
function PolicyLine({
  upload: { state, policy, firstAcceptance: first, releaseAt, can, isOwn },
  now,
}: {
  upload: Pick<UploadLine, 'state' | 'policy' | 'firstAcceptance' | 'releaseAt' | 'can' | 'isOwn'>
  now: number
}) {
  const isDouble = state === 'in_review' && policy !== null && policy.reviewers > 1
  const line =
    state === 'accepted'
      ? describeRelease(releaseAt, now)
      : first
        ? `1 din 2 verificări: ${first.isOwn ? 'tu' : first.reviewerName}`
        : can.decide && !can.accept
          ? OWN_UPLOAD_MESSAGE
          : isDouble && 'Două verificări'
  const lines = [isOwn && can.accept && OWN_UPLOAD_MARK, line].filter(Boolean)
  return lines.length > 0 ? (
    <span className="block text-xs font-normal text-muted lg:min-w-0 lg:shrink-[9] lg:truncate">
      {lines.join(' · ')}
    </span>
  ) : null
}

/** Marks an upload that arrived while the list was open: a dot and a word. */
export function FreshMark() {
  return (
    <span className="inline-flex shrink-0 items-center gap-1.5 text-xs font-semibold text-accent-ink">
      <span aria-hidden="true" className="size-2 rounded-full bg-accent-mark" />
      nou
    </span>
  )
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Moves the focus with the arrow keys between rows, and into the rows from the search or from an unfocused
 * page. If the focused row leaves the list, the row in its place gets the focus.
 */
function useRowFocus(rows: readonly UploadLine[] | null) {
  const list = useRef<HTMLDivElement>(null)
  const focusedIndex = useRef(-1)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost exactly when the rows change
  useLayoutEffect(() => {
    if (focusedIndex.current < 0 || document.activeElement !== document.body) return
    const links = rowLinks(list.current)
    links[Math.min(focusedIndex.current, links.length - 1)]?.focus({ preventScroll: true })
  }, [rows])

  useEffect(() => {
    const recordFocus = () => {
      focusedIndex.current = rowLinks(list.current).indexOf(document.activeElement as HTMLElement)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const step = STEPS[event.key]
      if (!step || event.defaultPrevented) return
      const links = rowLinks(list.current)
      const current = links.indexOf(document.activeElement as HTMLElement)
      if (current < 0 && !(step === 1 && isRowEntryKey(document.activeElement))) return
      event.preventDefault()
      links[current + step]?.focus()
    }
    document.addEventListener('focusin', recordFocus)
    document.addEventListener('keydown', onKeyDown)
    return () => {
      document.removeEventListener('focusin', recordFocus)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])
  return list
}

const rowLinks = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('.row-link') ?? [])]

const isRowEntryKey = (element: Element | null) =>
  element === document.body ||
  element?.localName === 'main' ||
  element?.matches('input[type=search]') === true
