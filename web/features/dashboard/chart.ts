export type DayCount = { day: string; count: number }

const DAY_MS = 24 * 60 * 60 * 1000

/** Returns the last `length` days up to `today` (yyyy-MM-dd), including days without uploads. */
export function fillDays(counts: readonly DayCount[], today: string, length: number): DayCount[] {
  const countByDay = new Map(counts.map(({ day, count }) => [day, count]))
  // Noon, so that a change of daylight saving time does not change the day.
  const end = Date.parse(`${today}T12:00:00Z`)
  return Array.from({ length }, (_, index) => {
    const day = new Date(end - (length - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { day, count: countByDay.get(day) ?? 0 }
  })
}

/** Whether the day (yyyy-MM-dd) is a Monday. */
export const isMonday = (day: string): boolean => new Date(`${day}T12:00:00Z`).getUTCDay() === 1

/**
 * Returns the values of the lines behind the bars, from 0 to at least `max`: whole numbers in steps of 1, 2
 * or 5 times a power of ten.
 */
export function chartTicks(max: number): number[] {
  const rough = Math.max(max, 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power)
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, index) => index * step)
}
