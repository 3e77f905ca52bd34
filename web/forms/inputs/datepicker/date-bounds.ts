/** The days that may be chosen. Days are yyyy-MM-dd everywhere. */
export interface DateBounds {
  min?: string | undefined
  max?: string | undefined
  /** The disabled days, or a function that returns whether a day is disabled. */
  disabledDates?: readonly string[] | ((day: string) => boolean) | undefined
  /** Returns the reason why a typed day is disabled, or null for the default sentence. */
  explainDisabled?: ((day: string) => string | null) | undefined
}

/** How many days a search for an enabled day goes [9.13]. */
export const SCAN_DAYS = 7

export function isDateDisabled(day: string, { min, max, disabledDates }: DateBounds): boolean {
  // ISO days with four-digit years sort as text.
  if ((min && day < min) || (max && day > max)) return true
  return typeof disabledDates === 'function' ? disabledDates(day) : !!disabledDates?.includes(day)
}

function addDays(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

const STEPS_BY_DIRECTION = { later: [1], earlier: [-1], nearest: [1, -1] }

/**
 * Returns the day if it is enabled, else the nearest enabled day at most `range` days away in the direction;
 * `nearest` prefers the later of two equally near days. Returns null if there is none.
 */
export function findEnabledDate(
  day: string,
  isDisabled: (day: string) => boolean,
  direction: keyof typeof STEPS_BY_DIRECTION,
  range: number,
): string | null {
  if (!isDisabled(day)) return day
  for (let distance = 1; distance <= range; distance++) {
    for (const step of STEPS_BY_DIRECTION[direction]) {
      const found = addDays(day, step * distance)
      if (!isDisabled(found)) return found
    }
  }
  return null
}

const monthOf = (day: string) => day.slice(0, 7)
const daysBetween = (a: string, b: string) => Math.abs(Date.parse(b) - Date.parse(a)) / 86_400_000

/**
 * Returns the day that the keyboard focuses when it moves from one day to another. A step (a day, a week)
 * onto a disabled day continues in its direction [9.13]; a jump stays in the target month if it has an
 * enabled day near. Returns the disabled day if no enabled day is near, so that the keyboard can continue
 * from there.
 */
export function findKeyboardDate(from: string, target: string, bounds: DateBounds): string {
  const isDisabled = (day: string) => isDateDisabled(day, bounds)
  const [forward, backward] =
    target < from ? (['earlier', 'later'] as const) : (['later', 'earlier'] as const)
  const found = findEnabledDate(target, isDisabled, forward, SCAN_DAYS)
  const isStep = [1, 7].includes(daysBetween(from, target))
  if (isStep || (found && monthOf(found) === monthOf(target))) return found ?? target
  const previous = findEnabledDate(target, isDisabled, backward, SCAN_DAYS)
  return previous && monthOf(previous) === monthOf(target) ? previous : (found ?? target)
}

/**
 * Returns the requested day moved into min–max, or the nearest enabled day within SCAN_DAYS; if there is
 * none, the moved day although it is disabled.
 */
export function findOpeningDate(target: string, bounds: DateBounds): string {
  const { min, max } = bounds
  const clamped = min && target < min ? min : max && target > max ? max : target
  return findEnabledDate(clamped, (day) => isDateDisabled(day, bounds), 'nearest', SCAN_DAYS) ?? clamped
}
