import { splitDateText } from '../../../../shared/romania/split-date-text.ts'

/** Converts between dates as Romanian users type them (dd.MM.yyyy) and ISO dates (yyyy-MM-dd). */

/** Parses what `splitDateText` reads into `1985-04-03`; null if the text is not a date. */
export function parseDateText(text: string): string | null {
  const parts = splitDateText(text)
  if (!parts) return null
  const [day, month, year] = parts.map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}

/** Formats `1985-04-03` as `03.04.1985`, and anything else as an empty text. */
export function formatDateText(iso: string | null | undefined): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso ?? '')
  return match ? `${match[3]}.${match[2]}.${match[1]}` : ''
}

/** Inserts the dots while digits are typed; leaves deleted, pasted or manually separated texts unchanged. */
export function completeDateText(before: string, after: string): string {
  const isAppending = after.length === before.length + 1 && after.startsWith(before)
  if (!isAppending) return after
  // A typed dot after an inserted dot is ignored.
  if (before.endsWith('.') && /[./\-\s]$/.test(after)) return before
  return /^(\d{2}|\d{2}\.\d{2})$/.test(after) ? `${after}.` : after
}
