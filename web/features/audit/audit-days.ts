import { formatDate } from '../../../shared/romania/romanian.ts'
import type { AuditEvent } from './audit.queries.ts'

const dayOf = (at: Date): string => at.toLocaleDateString('sv-SE')

/** Groups the entries by day; both keep the given order. */
export function groupByDay<Event extends Pick<AuditEvent, 'at'>>(
  events: readonly Event[],
  now: Date,
): { day: string; title: string; events: Event[] }[] {
  const days = Map.groupBy(events, ({ at }) => dayOf(new Date(at)))
  return [...days].map(([day, of]) => ({ day, title: dayTitle(day, now), events: of }))
}

function dayTitle(day: string, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day === dayOf(now)) return 'Astăzi'
  if (day === dayOf(yesterday)) return 'Ieri'
  const weekday = new Date(`${day}T12:00:00`).toLocaleDateString('ro-RO', { weekday: 'long' })
  return `${weekday[0]?.toLocaleUpperCase('ro')}${weekday.slice(1)}, ${formatDate(day)}`
}
