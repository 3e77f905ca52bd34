import { counted } from '../../../shared/romania/romanian.ts'

const hourOf = (at: string) =>
  new Date(at).toLocaleTimeString('ro-RO', { hour: '2-digit', minute: '2-digit' })

/**
 * Returns the times of events and, for more than one, their count: `de 3 ori, 12:03–14:10`. `events` newest
 * first.
 */
export function timesOf(events: readonly { at: string }[]): string {
  const hours = [...new Set([events.at(-1), events[0]].flatMap((event) => (event ? [hourOf(event.at)] : [])))]
  const count = events.length > 1 ? `de ${counted(events.length, 'oară', 'ori')}, ` : ''
  return count + hours.join('–')
}
