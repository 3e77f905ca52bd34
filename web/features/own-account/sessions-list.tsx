import { formatDateTime } from '../../../shared/romania/romanian.ts'
import { Button } from '../../ui/base/button.tsx'
import { Badge } from '../../ui/page/status-pill.tsx'
import { deviceName } from './device-name.ts'
import type { SessionRow } from './own-account.queries.ts'

/** Lists sessions, the current one first, each with a button to end it. */
export function SessionsList({
  sessions,
  ending,
  onEnd,
}: {
  sessions: readonly SessionRow[]
  /** The id of the session that is being ended; null if there is none. */
  ending: string | null
  onEnd: (id: string) => void
}) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line">
      {sessions
        .toSorted((a, b) => Number(b.current) - Number(a.current))
        .map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-3 px-4 py-2.5">
            <div className="grid min-w-0 text-sm">
              <span className="flex flex-wrap items-center gap-2 font-medium">
                {deviceName(session.userAgent)}
                {session.current && <Badge tone="info">aceasta</Badge>}
              </span>
              <span className="text-muted">
                Folosită {formatDateTime(session.lastSeenAt)}
                {session.ip && `, de la ${session.ip}`}
              </span>
            </div>
            {!session.current && (
              <Button
                variant="quiet"
                isPending={ending === session.id}
                aria-label={`Închide sesiunea: ${deviceName(session.userAgent)}, ${formatDateTime(session.lastSeenAt)}`}
                onPress={() => onEnd(session.id)}
              >
                Închide
              </Button>
            )}
          </li>
        ))}
    </ul>
  )
}
