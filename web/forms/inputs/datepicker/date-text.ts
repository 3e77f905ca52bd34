/** Dates as people here write them (dd.MM.yyyy), and as the product keeps them (yyyy-MM-dd). */

/** `3.4.1985`, `03/04/1985`, `03041985`, `1985-04-03` → `1985-04-03`; null where it is no day of the calendar. */
export function parseDateText(text: string): string | null {
  const match =
    /^(\d{1,2})\s*[./\-\s]\s*(\d{1,2})\s*[./\-\s]\s*(\d{4})$/.exec(text.trim()) ??
    /^(\d{2})(\d{2})(\d{4})$/.exec(text.trim())
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim())
  const parts = match?.slice(1) ?? iso?.slice(1).reverse()
  if (!parts) return null
  const [day, month, year] = parts.map(Number) as [number, number, number]
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= 1000 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}

/** `1985-04-03` → `03.04.1985`; anything else → empty. */
export function formatDateText(iso: string | null | undefined): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(iso ?? '')
  return match ? `${match[3]}.${match[2]}.${match[1]}` : ''
}

/** Puts in the dots while somebody types digits; leaves alone what is deleted, pasted or separated by hand. */
export function completeDateText(before: string, after: string): string {
  const isTypingOn = after.length === before.length + 1 && after.startsWith(before)
  if (!isTypingOn) return after
  // Whoever types the dot as well means the one that is already there.
  if (before.endsWith('.') && /[./\-\s]$/.test(after)) return before
  return /^(\d{2}|\d{2}\.\d{2})$/.test(after) ? `${after}.` : after
}
