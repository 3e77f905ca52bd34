/** The positions of the digits in yyyy-MM-dd. */
const DIGITS = [0, 1, 2, 3, 5, 6, 8, 9]

const isDate = (iso: string): boolean => {
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
}

/**
 * Returns the dates from 1900 to 2099 that one typing error makes of a date: another digit, two digits swapped, day and month
 * swapped.
 */
export function nearDates(iso: string): string[] {
  const withDigits = (...changes: readonly [index: number, digit: string | undefined][]) => {
    const letters = [...iso]
    for (const [index, digit] of changes) letters[index] = digit ?? ''
    return letters.join('')
  }
  const changed = DIGITS.flatMap((index) => [...'0123456789'].map((digit) => withDigits([index, digit])))
  const swapped = DIGITS.slice(1).map((index, place) => {
    const before = DIGITS[place]!
    return withDigits([before, iso[index]], [index, iso[before]])
  })
  const [year, month, day] = iso.split('-')
  const all = new Set([...changed, ...swapped, `${year}-${day}-${month}`])
  return [...all].filter((date) => date !== iso && /^(19|20)/.test(date) && isDate(date))
}
