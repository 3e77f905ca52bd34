import {
  type Change,
  describeChanges,
  describeEvent,
  roleName,
} from '../../../shared/audit/audit-sentences.ts'
import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { classNames } from '../../ui/base/class-names.ts'
import { Icon, type IconName } from '../../ui/base/icon.tsx'
import { TextLink } from '../../ui/base/link.tsx'
import type { AuditEvent } from './audit.queries.ts'
import { timesOf } from './times-of.ts'
import { UploadLink } from './upload-link.tsx'

const OUTCOMES: Record<string, { icon: IconName; word: string; className: string }> = {
  ok: { icon: 'check', word: 'Reușit', className: 'text-muted' },
  denied: { icon: 'ban', word: 'Refuzat', className: 'font-medium text-warning' },
  failed: { icon: 'error', word: 'Eșuat', className: 'font-medium text-danger' },
}

/**
 * Shows an entry of the audit log: its time, a sentence with links, the changed fields, then the outcome, the
 * actor's role, the IP address and the entry's number.
 */
export function AuditEntry({
  event,
  foldedEvents,
  onChoosePatient,
}: {
  event: AuditEvent
  /** This entry and the reads folded into it, newest first. */
  foldedEvents: readonly AuditEvent[]
  /** Filters the log by this patient; missing if the log already shows one patient. */
  onChoosePatient?: ((patientId: string) => void) | undefined
}) {
  const { actor, predicate } = describeEvent(event)
  const changes = describeChanges(event.changes, event.action)
  const outcome = OUTCOMES[event.outcome] ?? { icon: 'help', word: event.outcome, className: '' }
  const details = [
    foldedEvents.length > 1 && timesOf(foldedEvents),
    roleName(event.role),
    event.ip && `IP ${event.ip}`,
    `nr. ${event.id}`,
  ]
    .filter(Boolean)
    .join(' · ')
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-4 gap-y-1 border-b border-line px-4 py-3 lg:min-h-10 lg:py-1.5 last:border-b-0 sm:grid-cols-[4rem_minmax(0,1fr)_auto] sm:px-5">
      <time
        dateTime={event.at}
        data-tooltip={formatDateTime(event.at)}
        className="col-span-full text-sm text-muted tabular-nums sm:col-span-1 sm:pt-px"
      >
        {new Date(event.at).toLocaleTimeString('ro-RO', {
          hour: '2-digit',
          minute: '2-digit',
          second: '2-digit',
        })}
      </time>
      <div className="grid min-w-0 gap-x-6 gap-y-1 xl:grid-cols-[minmax(0,1fr)_auto]">
        <p className="break-words">
          <span className="font-medium">{actor}</span> {predicate}
          <Subject event={event} />
        </p>
        <Changes changes={changes} />
        <p className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-sm text-muted xl:col-start-2 xl:row-start-1">
          <span className={classNames('inline-flex items-center gap-1', outcome.className)}>
            <Icon name={outcome.icon} size={16} />
            {outcome.word}
          </span>
          <span>{details}</span>
        </p>
      </div>
      {event.patientId && onChoosePatient && (
        <IconButton
          icon="filter"
          label={`Doar despre ${event.patientName ?? 'acest pacient'}`}
          onPress={() => event.patientId && onChoosePatient(event.patientId)}
          className="-my-1.5 -mr-2"
        />
      )}
    </li>
  )
}

/** The subjects of the entry, as links. */
function Subject({ event }: { event: AuditEvent }) {
  const { patientId, patientName, subjectType, subjectId } = event
  return (
    <>
      {patientId && (
        <>
          {' — '}
          <TextLink to="/patients/$patientId" params={{ patientId }}>
            {patientName ?? 'pacientul'}
          </TextLink>
        </>
      )}
      <UploadLink event={event} separator=", " />
      {subjectType === 'institution' && subjectId && (
        <>
          {' — '}
          <TextLink to="/institutions/$institutionId" params={{ institutionId: subjectId }}>
            vezi instituția
          </TextLink>
        </>
      )}
    </>
  )
}

function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  return (
    <ul className="text-sm text-muted xl:col-span-full">
      {changes.map(({ label, from, to }) => (
        <li key={label} className="break-words">
          {label}
          {to !== null && ': '}
          {from !== null && (
            <>
              <del className="no-underline">{from}</del> <span aria-hidden="true">→</span>
              <span className="sr-only">a devenit</span>{' '}
            </>
          )}
          {to !== null && <ins className="text-ink no-underline">{to}</ins>}
        </li>
      ))}
    </ul>
  )
}
