/** Which days may be chosen. Days are yyyy-MM-dd everywhere. */
export interface DateBounds {
  min?: string | undefined
  max?: string | undefined
  /** The days that may not be chosen, or what tells of each day whether it may not. */
  disabledDates?: readonly string[] | ((day: string) => boolean) | undefined
  /** Why a written day may not be chosen, where a sentence of the field's own says more; null for the usual one. */
  explainDisabled?: ((day: string) => string | null) | undefined
}

/** How many days away another one is sought for a day that may not be chosen [9.13]. */
export const SCAN_DAYS = 7

export function isDateDisabled(day: string, { min, max, disabledDates }: DateBounds): boolean {
  // Days of four-figure years stand in the order of their text.
  if ((min && day < min) || (max && day > max)) return true
  return typeof disabledDates === 'function' ? disabledDates(day) : !!disabledDates?.includes(day)
}

function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

const STEPS = { later: [1], earlier: [-1], nearest: [1, -1] }

/**
 * The day itself where it is enabled, else the next one that is, at most `range` days away: later, earlier, or whichever
 * is nearer (the later one of two as near). null where there is none.
 */
export function findEnabledDate(
  day: string,
  isDisabled: (day: string) => boolean,
  direction: keyof typeof STEPS,
  range: number,
): string | null {
  if (!isDisabled(day)) return day
  for (let away = 1; away <= range; away++) {
    for (const step of STEPS[direction]) {
      const found = addDays(day, step * away)
      if (!isDisabled(found)) return found
    }
  }
  return null
}

const monthOf = (day: string) => day.slice(0, 7)
const daysBetween = (a: string, b: string) => Math.abs(Date.parse(b) - Date.parse(a)) / 86_400_000

/**
 * Where the keyboard comes to lie that goes from one day to another. From a disabled day a step (a day, a week) goes on in
 * its direction [9.13]; a jump stays in the month it went to, where that has an enabled day near. Where nothing is near,
 * the keyboard lies on the disabled day, and the way goes on from there.
 */
export function findKeyboardDate(from: string, wanted: string, bounds: DateBounds): string {
  const isDisabled = (day: string) => isDateDisabled(day, bounds)
  const [onward, back] = wanted < from ? (['earlier', 'later'] as const) : (['later', 'earlier'] as const)
  const found = findEnabledDate(wanted, isDisabled, onward, SCAN_DAYS)
  const isStep = [1, 7].includes(daysBetween(from, wanted))
  if (isStep || (found && monthOf(found) === monthOf(wanted))) return found ?? wanted
  const behind = findEnabledDate(wanted, isDisabled, back, SCAN_DAYS)
  return behind && monthOf(behind) === monthOf(wanted) ? behind : (found ?? wanted)
}

/** The day on which a calendar opens: the wanted one, or the nearest to it that may be chosen. */
export function findOpeningDate(wanted: string, bounds: DateBounds): string {
  const { min, max } = bounds
  const within = min && wanted < min ? min : max && wanted > max ? max : wanted
  return findEnabledDate(within, (day) => isDateDisabled(day, bounds), 'nearest', SCAN_DAYS) ?? within
}
