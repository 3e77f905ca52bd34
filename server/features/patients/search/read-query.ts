import { queryWords, spellUmlauts } from '../../../../shared/romania/names.ts'
import { parsePhone } from '../../../../shared/romania/phone.ts'
import { readDate } from '../../../../shared/romania/read-date.ts'

/** Birth dates from one day to another, both included, as yyyy-MM-dd. */
export type Days = { from: string; to: string }

/** The digits of a CNP, a phone or a number; `phone` if they are a whole phone number. */
export type Digits = { digits: string; phone: string | null }

export type PatientQuery =
  | { kind: 'nothing' }
  | ({ kind: 'digits' } & Digits)
  | { kind: 'born'; born: Days }
  | { kind: 'name'; words: string[]; spellings: string[][]; born: Days | null }

/** Fewer digits would match nearly all patients. */
const MIN_DIGITS = 3

/** Words of a search that are used; further words are ignored. */
export const MAX_QUERY_WORDS = 12

/** Reads what a text searches patients by: digits of numbers, a birth date, or a name, also with a birth date or year. */
export function readPatientQuery(text: string): PatientQuery {
  const { born, rest } = findDate(text)
  const words = queryWords(rest)
  if (born && words.length === 0) return { kind: 'born', born }
  if (isNumber(text)) return readDigits(text)
  if (words.length === 0) return { kind: 'nothing' }
  const year = born || words.length === 1 ? undefined : words.find(isYear)
  const spellings = spellingsOf(rest, year)
  return { kind: 'name', words: spellings[0]!, spellings, born: year === undefined ? born : yearOf(year) }
}

export const isNumber = (text: string): boolean => /^[\d\s.()/+-]+$/.test(text)

function readDigits(text: string): PatientQuery {
  const digits = text.replace(/\D/g, '')
  if (digits.length < MIN_DIGITS) return { kind: 'nothing' }
  const phone = parsePhone(text)
  return { kind: 'digits', digits, phone: phone.ok ? phone.e164 : null }
}

export const isYear = (word: string): boolean => /^(19|20)\d\d$/.test(word)

export const yearOf = (year: string): Days => ({ from: `${year}-01-01`, to: `${year}-12-31` })

/**
 * Returns the first date in a text, or null, and the text without it. A text of digits is a date only as a whole, since the
 * digits may be of a CNP or a phone.
 */
export function findDate(text: string): { born: Days | null; rest: string } {
  for (const { index } of text.matchAll(/(?<!\d)\d/g)) {
    const found = readDate(text, index)
    if (found === null) continue
    const rest = `${text.slice(0, index)} ${text.slice(found.end)}`
    if (!isNumber(text) || rest.trim() === '') return { born: { from: found.date, to: found.date }, rest }
  }
  return { born: null, rest: text }
}

/**
 * Returns the lists of words that the name in a text may be stored with: as typed, with umlauts as two letters, and with two
 * neighbouring words as one. The word `without` is no part of the name.
 */
function spellingsOf(text: string, without: string | undefined): string[][] {
  const [typed = [], umlauts = []] = [text, spellUmlauts(text)].map((spelling) =>
    queryWords(spelling)
      .filter((word) => word !== without)
      .slice(0, MAX_QUERY_WORDS),
  )
  const joined = typed
    .slice(1)
    .map((word, place) => [...typed.slice(0, place), `${typed[place]}${word}`, ...typed.slice(place + 2)])
  const isSame = typed.join(' ') === umlauts.join(' ')
  return [typed, ...(isSame ? [] : [umlauts]), ...joined]
}
