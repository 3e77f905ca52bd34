import { useRef } from 'react'
import { formatDate } from '../../../shared/romania/romanian.ts'
import { classNames } from '../../ui/base/class-names.ts'
import { PlainLink } from '../../ui/base/link.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { TABLE_ROLES } from '../../ui/page/table.tsx'
import { NewsMark } from '../news/news-mark.tsx'
import type { ResultLine } from './inbox.queries.ts'
import { InboxStateMark } from './inbox-state-mark.tsx'
import { UpdatedMark } from './result-list.tsx'

/** A column that a table on little width does not have; a card has it. */
export const WIDE_ONLY = '@min-[40rem]/table:@max-[64rem]/table:hidden'

/** A result: its link, which covers the row, is what the keys move between. */
export function InboxRow({
  result,
  isByDay,
  isChosen,
  onChoose,
  hasInstitution,
}: {
  result: ResultLine
  /** Whether the heading above it has the day; else it has the patient. */
  isByDay: boolean
  isChosen: boolean
  /** `isRange`: with all rows since the last choice. */
  onChoose: (isRange: boolean) => void
  hasInstitution: boolean
}) {
  const { id, title, category, patient, releasedAt, openedAt, isUpdate, fileCount } = result
  const isShift = useRef(false)
  const isUnread = openedAt === null
  const name = patient?.name ?? title
  const details = [patient?.cnpMasked, patient?.birthDate && formatDate(patient.birthDate)].filter(Boolean)
  return (
    <tr {...TABLE_ROLES.row} data-result={id} data-selected={isChosen}>
      <td
        {...TABLE_ROLES.cell}
        data-actions
        onPointerDownCapture={({ shiftKey }) => {
          isShift.current = shiftKey
        }}
        onMouseDownCapture={(event) => {
          // Shift would select the texts between the two rows.
          if (event.shiftKey) event.preventDefault()
        }}
      >
        <Checkbox
          aria-label={`Alege: ${name}, ${title}`}
          isSelected={isChosen}
          onChange={() => {
            onChoose(isShift.current)
            isShift.current = false
          }}
          className="items-center! py-0! pointer-fine:min-h-9!"
        />
      </td>
      <td {...TABLE_ROLES.cell} data-label="Primit" className="text-muted tabular-nums">
        {releasedAt && (
          <time dateTime={releasedAt}>{isByDay ? timeOf(releasedAt) : formatDate(releasedAt)}</time>
        )}
      </td>
      <td {...TABLE_ROLES.cell} data-title>
        <PlainLink
          to="/institution"
          search={((search: Record<string, unknown>) => ({ ...search, upload: id })) as never}
          state
          resetScroll={false}
          className={classNames('row-link', isUnread ? 'font-semibold' : 'font-normal')}
          data-tooltip-cut="row"
        >
          {isUnread && (
            <span className="mr-1.5 inline-block">
              <span aria-hidden="true" className="inline-block size-2 rounded-full bg-accent-mark" />
              <span className="sr-only">necitit</span>
            </span>
          )}
          {name}
          <NewsMark marks={patient?.newsMarks ?? null} />
          <span className="block truncate text-xs font-normal text-muted tabular-nums">
            {details.join(' · ')}
          </span>
        </PlainLink>
      </td>
      <td {...TABLE_ROLES.cell} data-label="Examinare">
        <span>
          {title}
          {isUpdate && <UpdatedMark />}{' '}
          {category && category.name !== title && (
            <span className="ml-2 text-xs text-muted @min-[40rem]/table:@max-[80rem]/table:hidden">
              {category.name}
            </span>
          )}
        </span>
      </td>
      <td {...TABLE_ROLES.cell} data-label="Medic" data-empty={!result.referringDoctor || undefined}>
        {result.referringDoctor}
      </td>
      <td
        {...TABLE_ROLES.cell}
        data-label="Nr. examinare"
        data-empty={!result.accessionNumber || undefined}
        className={classNames('tabular-nums', WIDE_ONLY)}
      >
        {result.accessionNumber}
      </td>
      <td {...TABLE_ROLES.cell} data-label="Fișiere" className={classNames('tabular-nums', WIDE_ONLY)}>
        {fileCount}
      </td>
      <td {...TABLE_ROLES.cell} data-label="Stare" data-empty={result.inbox?.state == null || undefined}>
        <InboxStateMark result={result} />
      </td>
      {hasInstitution && (
        <td {...TABLE_ROLES.cell} data-label="Instituție">
          {result.institution?.name}
        </td>
      )}
    </tr>
  )
}

const timeOf = (releasedAt: string) =>
  new Date(releasedAt).toLocaleTimeString('ro-RO', { hour: '2-digit', minute: '2-digit' })
