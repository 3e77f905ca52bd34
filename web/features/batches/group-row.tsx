import { type ReactNode, Suspense } from 'react'
import { counted, formatDate } from '../../../shared/romania/romanian.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon } from '../../ui/base/icon.tsx'
import { lazyOnIdle } from '../../ui/base/lazy-on-idle.ts'
import { TextLink } from '../../ui/base/link.tsx'
import { ProgressBar, Spinner } from '../../ui/base/loading.tsx'
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx'
import { Unknown } from '../../ui/page/description-list.tsx'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import type { NewUploadFile } from '../new-upload/engine/new-upload-file.ts'
import { MendUpload, RejectionReason } from '../uploads/returned/mend-upload.tsx'
import { UploadStatePill } from '../uploads/upload-state-pill.tsx'
import type { BatchGroup } from './batches.queries.ts'
import { type GroupPatient, isFiled, marksOf, patientOf, proposedOf, titleOf } from './group-facts.ts'

const PatientSearch = lazyOnIdle(() => import('./patient-search.tsx'), 'PatientSearch')

/** The titles of the columns, also before the values of a card. */
export const GROUP_COLUMNS = ['Fișiere', 'Pacient', 'Examinare', 'Instituție', 'Stare'] as const

/** A column that a narrow list does not have: its value is under that of the column before. */
export const WIDE_ONLY = '@max-3xl/table:hidden'

/** Explicit because in WebKit a `display` other than `table`, which cards need, removes the roles. */
export const GRID_ROLES = {
  grid: { role: 'grid' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  header: { role: 'columnheader', scope: 'col' },
  cell: { role: 'gridcell' },
}

export interface GroupRowProps {
  group: BatchGroup
  isCursor: boolean
  isSearching: boolean
  isSending: boolean
  /** Whether the reader may only look. */
  isFixed: boolean
  /** The patient whom a person has chosen, until the server keeps this. */
  choosing: GroupPatient | undefined
  problem: string | undefined
  /** The file that this page sends to the group. */
  sending: NewUploadFile | undefined
  actions: readonly MenuItem[]
  onFocus: () => void
  onAccept: () => void
  onSearch: () => void
  onChoose: (patient: GroupPatient) => void
  onCancelSearch: () => void
}

/**
 * A group: its files, whose they are and why, what it is filed as, and its state. Tab leads to the buttons of the cursor's row
 * alone, so that the list is left after them.
 */
export function GroupRow(props: GroupRowProps) {
  const { group, isCursor, isSending, isFixed, choosing, problem } = props
  const { upload } = group
  const name = nameOf(group)
  const isOpen = !isFiled(group)
  return (
    <tr
      {...GRID_ROLES.row}
      data-group={upload.id}
      aria-selected={isCursor}
      tabIndex={isCursor ? 0 : -1}
      onFocus={props.onFocus}
      className={classNames('-outline-offset-2! scroll-my-12', isCursor && 'bg-hover')}
    >
      <Cell label="Fișiere" isTitle contentClassName="min-w-28 [overflow-wrap:anywhere]">
        <span className="block break-words">{name}</span>
        {upload.files.length > 1 && (
          <span className="block text-xs font-normal text-muted">
            {counted(upload.files.length, 'fișier', 'fișiere')}
          </span>
        )}
      </Cell>
      <Cell label="Pacient" contentClassName="@2xl/table:min-w-36 @5xl/table:min-w-72">
        {props.isSearching ? (
          <Suspense fallback={<Spinner />}>
            <PatientSearch
              fileName={name}
              proposed={proposedOf(group)}
              onChoose={props.onChoose}
              onCancel={props.onCancelSearch}
            />
            <Proposed group={group} />
          </Suspense>
        ) : (
          <span className="flex items-start justify-between gap-1">
            <span className="min-w-0">
              <Patient group={group} choosing={choosing} />
            </span>
            {isOpen && !isFixed && (
              <span className="-my-2 shrink-0">
                <IconButton
                  icon="search"
                  label={`Alege pacientul: ${name}`}
                  excludeFromTabOrder={!isCursor}
                  onPress={props.onSearch}
                />
              </span>
            )}
          </span>
        )}
        {problem && (
          <span role="alert" className="mt-1 flex gap-1.5 text-danger">
            <Icon name="error" size={16} className="mt-0.5" />
            <span className="min-w-0 break-words">{problem}</span>
          </span>
        )}
      </Cell>
      <Cell label="Examinare" contentClassName="min-w-32 [overflow-wrap:anywhere]">
        <Examination group={group} />
        <span className="block text-xs text-muted @3xl/table:hidden">
          <Institution group={group} choosing={choosing} />
        </span>
      </Cell>
      <Cell label="Instituție" className={WIDE_ONLY}>
        <Institution group={group} choosing={choosing} />
      </Cell>
      <Cell label="Stare">
        <State {...props} />
      </Cell>
      <td {...GRID_ROLES.cell} data-actions className="align-top whitespace-nowrap">
        {!isFixed && (
          <span className="flex justify-end @2xl/table:@max-3xl/table:flex-col">
            {isOpen && group.proposal && (
              <IconButton
                icon="paper-plane"
                label={`Trimite: ${name}`}
                excludeFromTabOrder={!isCursor}
                isPending={isSending}
                onPress={props.onAccept}
              />
            )}
            {props.actions.length > 0 && (
              <Menu
                label={`Acțiuni: ${name}`}
                trigger={
                  <IconButton
                    icon="more-vertical"
                    label={`Mai mult: ${name}`}
                    excludeFromTabOrder={!isCursor}
                  />
                }
                sections={[{ items: props.actions }]}
              />
            )}
          </span>
        )}
      </td>
    </tr>
  )
}

export const nameOf = ({ upload: { files, title } }: BatchGroup): string =>
  files.length > 1 ? files.map(({ name }) => name).join(', ') : (files[0]?.name ?? title)

function Cell({
  label,
  isTitle,
  className,
  contentClassName,
  children,
}: {
  label: string
  isTitle?: boolean
  className?: string
  /** Of a box in the cell: its least width, within which long words are divided so that the table fits its card. */
  contentClassName?: string
  children: ReactNode
}) {
  return (
    <td
      {...GRID_ROLES.cell}
      data-label={label}
      data-title={isTitle || undefined}
      className={classNames('align-top', className)}
    >
      <span className={classNames('block min-w-0', contentClassName)}>{children}</span>
    </td>
  )
}

function Patient({ group, choosing }: Pick<GroupRowProps, 'group' | 'choosing'>) {
  const patient = patientOf(group, choosing)
  if (patient)
    return (
      <>
        <span className="block font-medium">{patient.name}</span>
        <span className="block text-xs text-muted tabular-nums">
          {patient.description.split(' · ').map((part, index) => (
            <span key={part}>
              {index > 0 && ' · '}
              <span className="whitespace-nowrap">{part}</span>
            </span>
          ))}
        </span>
        {patient.reasonText && <span className="block text-xs text-muted">{patient.reasonText}</span>}
      </>
    )
  if (!group.proposal) return <Unknown />
  if (proposedOf(group).length === 0) return <span className="text-muted">neales</span>
  return <Proposed group={group} />
}

/** The patients whom the files propose, also while another one is searched. */
const Proposed = ({ group }: Pick<GroupRowProps, 'group'>) => (
  <ul className="grid gap-1 empty:hidden">
    {proposedOf(group).map(({ id, name, reasonText }) => (
      <li key={id}>
        <span className="block">{name}?</span>
        <span className="block text-xs text-muted">{reasonText}</span>
      </li>
    ))}
  </ul>
)

function Examination({ group: { upload, proposal } }: Pick<GroupRowProps, 'group'>) {
  const category = proposal?.category ?? upload.category
  const title = titleOf({ upload, proposal })
  const examinedOn = proposal?.examinedOn ?? upload.examinedOn
  const doctor = proposal?.doctor ?? upload.referringDoctor
  if (!proposal && upload.state === 'receiving') return <Unknown />
  return (
    <>
      <span className="block">{category?.name ?? <span className="text-muted">fără categorie</span>}</span>
      <span className="block text-xs text-muted">
        {[title, examinedOn && formatDate(examinedOn), doctor].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

function Institution({ group, choosing }: Pick<GroupRowProps, 'group' | 'choosing'>) {
  const { upload, proposal } = group
  const proposed = patientOf(group)?.id
  if (choosing && choosing.id !== proposed && upload.state === 'receiving')
    return <span className="text-muted">a pacientului ales</span>
  const name = (proposal?.institution ?? upload.institution)?.name
  // Filed like that, the result reaches no institution.
  return name ?? (proposal ? <span className="text-warning">fără instituție</span> : <Unknown />)
}

function State({
  group,
  choosing,
  sending,
  isCursor,
}: Pick<GroupRowProps, 'group' | 'choosing' | 'sending' | 'isCursor'>) {
  const { upload, proposal } = group
  if (isFiled(group))
    return (
      <span className="grid justify-items-start gap-1">
        <UploadStatePill state={upload.state} />
        {upload.state === 'rejected' && (
          <>
            <span className="text-xs">
              <RejectionReason reviews={upload.reviews} />
            </span>
            <MendUpload upload={upload} tabIndex={isCursor ? undefined : -1} />
          </>
        )}
      </span>
    )
  if (!proposal) return <Reading sending={sending} hasFile={upload.files.length > 0} />
  const [duplicate] = proposal.duplicates
  return (
    <span className="grid justify-items-start gap-1">
      {marksOf(group, choosing !== undefined).map(({ icon, tone, text }) => (
        <StatusPill key={text} icon={icon} tone={tone}>
          {text}
        </StatusPill>
      ))}
      {proposal.statedNames.length > 0 && (
        <span className="text-xs text-muted">în fișiere: {proposal.statedNames.join('; ')}</span>
      )}
      {proposal.isDuplicate && duplicate && duplicate.id !== upload.id && (
        <span className="text-xs text-muted">
          {duplicate.state === 'receiving' ? (
            'este și într-un alt rând'
          ) : (
            <>
              este la {duplicate.patient?.name ?? 'o încărcare fără pacient'}:{' '}
              <TextLink
                to="/uploads/$uploadId"
                params={{ uploadId: duplicate.id }}
                target="_blank"
                tabIndex={isCursor ? undefined : -1}
              >
                nr. {duplicate.number}
              </TextLink>
            </>
          )}
        </span>
      )}
    </span>
  )
}

/** How far a file is that was not read yet. */
function Reading({ sending, hasFile }: { sending: NewUploadFile | undefined; hasFile: boolean }) {
  if (hasFile) return <StatusPill icon="pending">se citește</StatusPill>
  if (!sending) return <StatusPill icon="offline">n-a ajuns</StatusPill>
  if (sending.status === 'failed')
    return (
      <StatusPill icon="error" tone="danger">
        nu s-a trimis
      </StatusPill>
    )
  if (sending.status !== 'sending') return <StatusPill icon="clock">așteaptă</StatusPill>
  return (
    <ProgressBar
      hideLabel
      label={`Se trimite ${sending.name}`}
      value={sending.size === 0 ? 0 : (sending.done / sending.size) * 100}
      className="min-w-20 pt-2"
    />
  )
}
