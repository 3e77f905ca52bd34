import { romanian } from '../../core/messages.ts'
import { type DateBounds, isDateDisabled } from './date-bounds.ts'
import { parseDateText } from './date-text.ts'

/** FormKit's sentence for a disabled date [5.6]. */
const INVALID_MESSAGE = String(romanian.validation.invalidDate)
const UNREADABLE_MESSAGE = 'Data nu există. Scrie ziua, luna și anul cu patru cifre: 03.04.1985.'

/** The error of a period that ends before it begins. */
export const REVERSED_MESSAGE = 'Data de început este după data de sfârșit.'

/** Both days are yyyy-MM-dd and may be equal. */
export interface DateRange {
  start: string
  end: string
}

/** Whether a text is not empty and not a valid date. */
export const isUnreadable = (text: string) => text.trim() !== '' && parseDateText(text) === null

/** Returns the error of a typed day; null if the text is valid or empty. */
export function findDateError(text: string, bounds: DateBounds): string | null {
  if (isUnreadable(text)) return UNREADABLE_MESSAGE
  const day = parseDateText(text)
  return day !== null && isDateDisabled(day, bounds)
    ? (bounds.explainDisabled?.(day) ?? INVALID_MESSAGE)
    : null
}

/** Returns the error of a typed period; null if both texts are valid, or both empty. */
export function findRangeError(texts: DateRange, bounds: DateBounds): string | null {
  const errors = [findDateError(texts.start, bounds), findDateError(texts.end, bounds)]
  const error = errors.find((each) => each === UNREADABLE_MESSAGE) ?? errors.find((each) => each !== null)
  if (error) return error
  const start = parseDateText(texts.start)
  const end = parseDateText(texts.end)
  if (start === null && end === null) return null
  if (start === null) return 'Lipsește data de început.'
  if (end === null) return 'Lipsește data de sfârșit.'
  return start > end ? REVERSED_MESSAGE : null
}
