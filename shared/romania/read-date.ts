import { foldText } from './names.ts'

/** In the order of the months; also the English names, which devices print. */
const MONTHS: readonly (readonly string[])[] = [
  ['ianuarie', 'january'],
  ['februarie', 'february'],
  ['martie', 'march'],
  ['aprilie', 'april'],
  ['mai', 'may'],
  ['iunie', 'june'],
  ['iulie', 'july'],
  ['august'],
  ['septembrie', 'september'],
  ['octombrie', 'october'],
  ['noiembrie', 'november'],
  ['decembrie', 'december'],
]
const FIRST_YEAR = 1870

const NUMBERS = /(\d{1,2})(?: ?[./-] ?| )(\d{1,2})(?: ?[./-] ?| )(\d{4})(?!\d)/y
const ISO = /(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)/y
const NAMED = /(\d{1,2})[ .-]{1,3}(\p{L}{3,10})[ .,-]{1,3}(\d{4})(?!\d)/uy

function findMonth(name: string): number {
  const folded = foldText(name)
  return MONTHS.findIndex((names) => names.some((month) => month.startsWith(folded))) + 1
}

/** Returns the date as yyyy-mm-dd; null if there is no such day. */
function toIso(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  const isReal = year >= FIRST_YEAR && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return isReal ? date.toISOString().slice(0, 10) : null
}

/** Returns the date that is written at this position, and where it ends; null if there is none. */
export function readDate(text: string, at: number): { date: string; end: number } | null {
  if (/\d/.test(text[at - 1] ?? '')) return null
  const found = (date: string | null, end: number) => (date === null ? null : { date, end })
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const iso = match(ISO)
  if (iso) return found(toIso(Number(iso[1]), Number(iso[2]), Number(iso[3])), ISO.lastIndex)
  const numbers = match(NUMBERS)
  if (numbers)
    return found(toIso(Number(numbers[3]), Number(numbers[2]), Number(numbers[1])), NUMBERS.lastIndex)
  const named = match(NAMED)
  if (!named) return null
  const month = findMonth(named[2]!)
  return month === 0 ? null : found(toIso(Number(named[3]), month, Number(named[1])), NAMED.lastIndex)
}
