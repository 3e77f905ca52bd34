import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { INBOX_STATE_NAMES } from '../../../shared/uploads/inbox.ts'
import { StatusPill } from '../../ui/page/status-pill.tsx'
import type { ResultLine } from './inbox.queries.ts'

/** How far the institution is with a result, by whom and since when; before its last version too. */
export function InboxStateMark({ result: { inbox } }: { result: Pick<ResultLine, 'inbox'> }) {
  if (!inbox?.state) return null
  const { state, isMine, takenByName, takenAt, handledByName, handledAt, former } = inbox
  const by = state === 'handled' ? handledByName : isMine ? 'dvs.' : takenByName
  const at = state === 'handled' ? handledAt : state === 'taken' ? takenAt : null
  const history = former.map(
    (mark) => `înainte: ${INBOX_STATE_NAMES[mark.state]} de ${mark.name}, ${formatDateTime(mark.at)}`,
  )
  const tooltip = [at && `${INBOX_STATE_NAMES[state]} de ${by}, ${formatDateTime(at)}`, ...history]
    .filter(Boolean)
    .join('; ')
  return (
    <span className="flex max-w-full" data-tooltip={tooltip || undefined}>
      <StatusPill
        icon={state === 'handled' ? 'check' : state === 'taken' ? 'user-check' : 'inbox'}
        tone={state === 'handled' ? 'success' : state === 'taken' ? 'info' : 'accent'}
      >
        {INBOX_STATE_NAMES[state]}
        {by && ` · ${by}`}
        {history.length > 0 && <span className="sr-only">; {history.join('; ')}</span>}
      </StatusPill>
    </span>
  )
}
