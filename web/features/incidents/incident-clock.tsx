import { type Clock, readClock } from '../../../shared/incidents/incidents.ts'
import type { IconName } from '../../ui/base/icon.tsx'
import { StatusPill, type Tone } from '../../ui/page/status-pill.tsx'
import { useNow } from '../uploads/use-now.ts'
import type { Incident } from './incidents.queries.ts'

const CLOCKS: Record<Clock['state'], { icon: IconName; tone: Tone }> = {
  running: { icon: 'clock', tone: 'info' },
  near: { icon: 'warning', tone: 'warning' },
  overdue: { icon: 'error', tone: 'danger' },
}

/** Shows how long is left to notify the authority; of a closed or decided incident its state. */
export function IncidentClock({
  incident: { discoveredAt, authority, closedAt },
}: {
  incident: Pick<Incident, 'discoveredAt' | 'authority' | 'closedAt'>
}) {
  const now = useNow()
  if (closedAt) {
    return (
      <StatusPill icon="check-circle" tone="neutral">
        Încheiat
      </StatusPill>
    )
  }
  if (authority) {
    return (
      <StatusPill icon="check-circle" tone="success">
        {authority === 'notified' ? 'ANSPDCP anunțată' : 'Fără anunțarea ANSPDCP'}
      </StatusPill>
    )
  }
  const { state, text } = readClock(discoveredAt, new Date(now))
  return <StatusPill {...CLOCKS[state]}>{text}</StatusPill>
}
