import { formatDate } from '../../../shared/romania/romanian.ts'

export type DayGroup<Item> = { day: string; title: string; items: Item[] }

/**
 * Groups items, newest first, by day in the user's time zone; titles are today, yesterday, or the weekday
 * with its date. `day` is yyyy-MM-dd.
 */
export function groupByDay<Item>(
  items: readonly Item[],
  timeOf: (item: Item) => string,
  now: Date,
): DayGroup<Item>[] {
  const groups: DayGroup<Item>[] = []
  for (const item of items) {
    const time = new Date(timeOf(item))
    const day = isoDay(time)
    const last = groups.at(-1)
    if (last?.day === day) last.items.push(item)
    else groups.push({ day, title: titleOf(day, time, now), items: [item] })
  }
  return groups
}

function titleOf(day: string, time: Date, now: Date): string {
  if (day === isoDay(now)) return 'Azi'
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  if (day === isoDay(yesterday)) return 'Ieri'
  const weekday = time.toLocaleDateString('ro-RO', { weekday: 'long' })
  return `${weekday.charAt(0).toLocaleUpperCase('ro')}${weekday.slice(1)}, ${formatDate(day)}`
}

function isoDay(time: Date): string {
  const pad = (number: number) => String(number).padStart(2, '0')
  return `${time.getFullYear()}-${pad(time.getMonth() + 1)}-${pad(time.getDate())}`
}
