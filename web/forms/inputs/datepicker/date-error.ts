import { romanian } from '../../core/messages.ts'
import { type DateBounds, isDateDisabled } from './date-bounds.ts'
import { parseDateText } from './date-text.ts'

/** FormKit's own sentence [5.6]. */
const INVALID = String(romanian.validation.invalidDate)
const UNREADABLE = 'Data nu există. Scrie ziua, luna și anul cu patru cifre: 03.04.1985.'

/** Both days are yyyy-MM-dd; they may be the same. */
export interface DateRange {
  start: string
  end: string
}

/** Whether something is written that is no day of the calendar. */
export const isUnreadable = (text: string) => text.trim() !== '' && parseDateText(text) === null

/** What is wrong with a day as it is written; null for nothing, also for no text. */
export function findDateError(text: string, bounds: DateBounds): string | null {
  if (isUnreadable(text)) return UNREADABLE
  const day = parseDateText(text)
  return day !== null && isDateDisabled(day, bounds) ? (bounds.explainDisabled?.(day) ?? INVALID) : null
}

/** The same for a period, whose texts are under its keys. */
export function findRangeError(texts: DateRange, bounds: DateBounds): string | null {
  const faults = [findDateError(texts.start, bounds), findDateError(texts.end, bounds)]
  const fault = faults.find((each) => each === UNREADABLE) ?? faults.find((each) => each !== null)
  if (fault) return fault
  const start = parseDateText(texts.start)
  const end = parseDateText(texts.end)
  if (start === null && end === null) return null
  if (start === null) return 'Lipsește data de început.'
  if (end === null) return 'Lipsește data de sfârșit.'
  return start > end ? 'Data de început este după data de sfârșit.' : null
}
