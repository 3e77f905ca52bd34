import { formatDate } from '../../shared/romania/romanian.ts'

/**
 * Groups items by day in the user's time zone; days and items keep the given order. `day` is yyyy-MM-dd, the
 * title is today, yesterday, or the weekday with its date.
 */
export function groupByDay<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string,
  now: Date,
): { day: string; title: string; items: Item[] }[] {
  const days = Map.groupBy(items, (item) => isoDay(new Date(timeOf(item))))
  return [...days].map(([day, items]) => ({ day, title: titleOf(day, now), items }))
}

function titleOf(day: string, now: Date): string {
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day === isoDay(now)) return 'Astăzi'
  if (day === isoDay(yesterday)) return 'Ieri'
  const weekday = new Date(`${day}T12:00:00`).toLocaleDateString('ro-RO', { weekday: 'long' })
  return `${weekday.charAt(0).toLocaleUpperCase('ro')}${weekday.slice(1)}, ${formatDate(day)}`
}

/** The Swedish format is yyyy-MM-dd. */
const isoDay = (time: Date): string => time.toLocaleDateString('sv-SE')
