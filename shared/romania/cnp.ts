import { lazily } from '../lazily.ts'
import { weightedSum } from './check-digit.ts'
import { todayInRomania } from './day.ts'

export const SEXES = ['female', 'male'] as const
export type Sex = (typeof SEXES)[number]
export const SEX_NAMES: Readonly<Record<Sex, string>> = { female: 'Feminin', male: 'Masculin' }

type CnpProblem = 'length' | 'digits' | 'date' | 'serial' | 'check-digit' | 'future'

type ParsedCnp =
  | {
      ok: true
      /** The thirteen digits. */
      cnp: string
      /** ISO date; null if the CNP does not determine the century (foreigners: first digit 7, 8 or 9). */
      birthDate: string | null
      /** Null if the first digit is 9. */
      sex: Sex | null
      /**
       * An unknown county code is no error: new codes (70 since May 2024) are in use before lists have them.
       */
      countyKnown: boolean
    }
  | { ok: false; reason: CnpProblem; message: string }

const MESSAGES: Record<Exclude<CnpProblem, 'length'>, string> = {
  digits: 'CNP-ul conține doar cifre, iar prima nu este 0.',
  date: 'Cifrele 2–7 ale CNP-ului nu formează o dată de naștere reală.',
  future: 'Data nașterii din CNP este în viitor.',
  serial: 'Cifrele 10–12 ale CNP-ului nu pot fi 000.',
  'check-digit': 'CNP-ul nu este corect: cifra de control nu se potrivește. Verifică fiecare cifră.',
}

const fail = (reason: keyof typeof MESSAGES): ParsedCnp => ({
  ok: false,
  reason,
  message: MESSAGES[reason],
})

/** Weights of the first twelve digits. */
const WEIGHTS = '279146358279'

function checkDigit(twelve: string): string {
  const rest = weightedSum(twelve, WEIGHTS) % 11
  return String(rest === 10 ? 1 : rest)
}

/**
 * 1–46 counties, București and its sectors, 47–48 former sectors, 51–52 Călărași and Giurgiu, 70 and 80–83
 * newer codes.
 */
function isKnownCounty(code: number): boolean {
  return (code >= 1 && code <= 48) || code === 51 || code === 52 || code === 70 || (code >= 80 && code <= 83)
}

function isRealDate(iso: string): boolean {
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso)
}

const CENTURIES: Record<string, string> = { 1: '19', 2: '19', 3: '18', 4: '18', 5: '20', 6: '20' }

/**
 * Parses a CNP as people type it (spaces and dashes allowed). `S AA LL ZZ JJ NNN C`: sex and century, birth
 * date, county, serial 001–999, check digit. `today` (ISO date) is the last possible birth date; without it
 * the clock is read, but only for a number that is otherwise valid.
 */
export function parseCnp(text: string, today?: string): ParsedCnp {
  const cnp = text.replace(/[\s\p{Pd}]/gu, '')
  if (!/^(?:[1-9]\d*)?$/.test(cnp)) return fail('digits')
  if (cnp.length !== 13) {
    return { ok: false, reason: 'length', message: `CNP-ul are 13 cifre, nu ${cnp.length}.` }
  }
  const first = cnp.charAt(0)
  const monthAndDay = `${cnp.slice(3, 5)}-${cnp.slice(5, 7)}`
  const century = CENTURIES[first]
  const dates = (century ? [century] : ['19', '20']).map(
    (start) => `${start}${cnp.slice(1, 3)}-${monthAndDay}`,
  )
  if (!dates.some(isRealDate)) return fail('date')
  const birthDate = century ? dates[0]! : null
  if (cnp.slice(9, 12) === '000') return fail('serial')
  if (checkDigit(cnp.slice(0, 12)) !== cnp.charAt(12)) return fail('check-digit')
  // Checked last, so that a mistyped year is reported as a wrong digit wherever the check digit detects it.
  if (birthDate !== null && birthDate > (today ?? todayInRomania())) return fail('future')
  const sex = first === '9' ? null : Number(first) % 2 === 1 ? 'male' : 'female'
  return { ok: true, cnp, birthDate, sex, countyKnown: isKnownCounty(Number(cnp.slice(7, 9))) }
}

/** What separates the groups of a number that is certainly one: a space, a dash or a dot of any kind. */
const BETWEEN = '[\\p{Zs}\\p{Pd}\u2212.\u00b7]'
/** What may separate them besides: several of these, tabs, leaders, borders of boxes, invisible characters. */
const AROUND = '(?:(?![\\r\\n\\f\\p{Nd}])[\\s\\p{Z}\\p{Pd}\\p{Cf}\\p{M}\u2212.\u00b7\u2022_/|:]){1,40}'
/** The groups in which people and forms write a CNP. */
const GROUPINGS = [
  [13],
  [1, 6, 6],
  [7, 6],
  [1, 6, 2, 4],
  [1, 6, 2, 3, 1],
  [1, 2, 2, 2, 2, 3, 1],
  Array(13).fill(1),
]

/** Matches a number in groups; a match may begin inside another. */
const written = (between: string): RegExp =>
  new RegExp(
    `(?<!\\d)(?=(${GROUPINGS.map((groups) => groups.map((length) => `\\d{${length}}`).join(between)).join('|')})(?!\\d))`,
    'gu',
  )
// Made at the first use: each takes several milliseconds.
const writtenCnp = lazily(() => written(BETWEEN))
const widelyWrittenCnp = lazily(() => written(AROUND))

/** Returns the value of a digit of any script, whose ten digits follow each other. */
function digitValue(digit: string): string {
  const plain = digit.normalize('NFKC')
  if (/^\d$/.test(plain)) return plain
  const code = digit.codePointAt(0)!
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return String(value)
}

/** Returns the text with the digits of all scripts as 0–9. */
export const normaliseDigits = (text: string): string => text.replace(/(?![0-9])\p{Nd}/gu, digitValue)

/** `start` and `end` are positions in the text with normalised digits; `isDoubtful`: the groups are far apart. */
export type FoundCnp = { cnp: string; start: number; end: number; isDoubtful: boolean }

/** Returns the valid CNPs in a text, also those in groups and with digits of other scripts. */
export function findCnps(text: string, today?: string): FoundCnp[] {
  const normal = normaliseDigits(text)
  const find = (pattern: RegExp, isDoubtful: boolean): FoundCnp[] =>
    [...normal.matchAll(pattern)]
      .map(({ index, 1: found = '' }) => ({
        cnp: found.replace(/\D/g, ''),
        start: index,
        end: index + found.length,
        isDoubtful,
      }))
      .filter(({ cnp }) => parseCnp(cnp, today).ok)
  const certain = find(writtenCnp(), false)
  const starts = new Set(certain.map(({ start }) => start))
  const doubtful = find(widelyWrittenCnp(), true).filter(({ start }) => !starts.has(start))
  return [...certain, ...doubtful].sort((a, b) => a.start - b.start)
}

/** Returns the text with each valid CNP masked; of two overlapping CNPs only the first is shown, masked. */
export function maskCnps(text: string): string {
  const found = findCnps(text)
  if (found.length === 0) return text
  const normal = normaliseDigits(text)
  let masked = ''
  let at = 0
  for (const { cnp, start, end } of found) {
    if (start >= at) masked += normal.slice(at, start) + maskCnp(cnp)
    at = end
  }
  return masked + normal.slice(at)
}

const VISIBLE_DIGITS = 4

/**
 * Returns a valid CNP as lists show it, `*********3457`: thirteen characters, only the last four of them
 * digits. Even for a reader who knows the birth date, the sex and the check digit, nine or more county codes
 * remain possible.
 */
export const maskCnp = (cnp: string): string => cnp.slice(-VISIBLE_DIGITS).padStart(cnp.length, '*')

/**
 * Returns a valid CNP of a made-up person. `birthDate` ISO, 1800–2099; `county` 0–99; `serial` 1–999;
 * `foreign`: a foreign resident (first digit 7 or 8). Throws RangeError for another century.
 */
export function makeCnp(person: {
  sex: Sex
  birthDate: string
  county: number
  serial: number
  foreign?: boolean
}): string {
  const male = { 19: 1, 18: 3, 20: 5 }[person.birthDate.slice(0, 2)]
  if (male === undefined) throw new RangeError(`no CNP for a birth in ${person.birthDate.slice(0, 4)}`)
  const first = (person.foreign ? 7 : male) + (person.sex === 'female' ? 1 : 0)
  const date = person.birthDate.slice(2).replaceAll('-', '')
  const twelve = `${first}${date}${String(person.county).padStart(2, '0')}${String(person.serial).padStart(3, '0')}`
  return twelve + checkDigit(twelve)
}
