export type DayCount = { day: string; count: number }

const DAY_MS = 24 * 60 * 60 * 1000

/** The day it is for the organisation, by whose calendar the server counts. */
export const organisationDay = (now: Date): string =>
  now.toLocaleDateString('sv-SE', { timeZone: 'Europe/Bucharest' })

/** The last `length` days up to `today` (yyyy-MM-dd), those without uploads included. */
export function fillDays(counts: readonly DayCount[], today: string, length: number): DayCount[] {
  const known = new Map(counts.map(({ day, count }) => [day, count]))
  // Noon: an hour more or less at a change of the clocks stays within the day.
  const end = Date.parse(`${today}T12:00:00Z`)
  return Array.from({ length }, (_, index) => {
    const day = new Date(end - (length - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { day, count: known.get(day) ?? 0 }
  })
}

/** The lines behind the bars, from 0 to at least `max`: whole numbers in steps of 1, 2 or 5 times a power of ten. */
export function chartTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step)
}
