import type { Sex } from '../../../shared/romania/cnp.ts'
import { foldText } from '../../../shared/romania/names.ts'

/** Reads a value that Excel may have written; `null`: nothing is wrong with it. */
export type LostDigits = string | null

const SCIENTIFIC = /^\d([.,]\d+)?e\+?\d+$/i
/** A serial number of a CNP is never 000, and a check digit seldom 0: these are digits that were cut off. */
const CUT_CNP = /^\d{8}0{5}$/

/** Returns how Excel has damaged a CNP; null if it has not. */
export function findLostCnpDigits(text: string): LostDigits {
  const compact = text.replace(/\s/g, '')
  if (!SCIENTIFIC.test(compact) && !CUT_CNP.test(compact)) return null
  return 'Excel a rotunjit CNP-ul și i-a pierdut cifre. Formatează coloana ca text și scrie-l din nou.'
}

/** Returns how Excel has damaged a phone number; null if it has not. */
export function findLostPhoneDigits(text: string): LostDigits {
  const compact = text.replace(/[\s\p{Pd}./()]/gu, '')
  if (SCIENTIFIC.test(text.replace(/\s/g, '')))
    return 'Excel a rotunjit numărul de telefon și i-a pierdut cifre. Formatează coloana ca text și scrie-l din nou.'
  if (/^[237]\d{8}$/.test(compact))
    return 'Numărului de telefon îi lipsește 0 de la început. Formatează coloana ca text și scrie-l din nou.'
  if (/^40[237]\d{8}$/.test(compact)) return 'Numărului de telefon îi lipsește + de la început.'
  return null
}

const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/
const ISO = /^(\d{4})[./-](\d{1,2})[./-](\d{1,2})$/
/** The time of a date, midnight in most files. */
const TIME = /[T ]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?Z?$/
const SHORT_YEAR = /^\d{1,2}[./-]\d{1,2}[./-]\d{2}$/
const SERIAL = /^\d{4,5}([.,]\d+)?$/

/** Reads a day as yyyy-MM-dd, the day before the month; `unclear`: it may be several days. */
export function readDay(text: string): { day: string | null; unclear: string | null } {
  const date = text.replace(TIME, '').trim()
  const iso = ISO.exec(date)
  const dayFirst = DAY_FIRST.exec(date)
  if (iso) return { day: toDay(iso[1]!, iso[2]!, iso[3]!), unclear: null }
  if (dayFirst) return { day: toDay(dayFirst[3]!, dayFirst[2]!, dayFirst[1]!), unclear: null }
  if (SHORT_YEAR.test(date))
    return { day: null, unclear: 'Data nașterii are anul din două cifre: scrie-l din patru.' }
  if (SERIAL.test(date))
    return {
      day: null,
      unclear: 'Data nașterii este numărul unei zile în Excel. Formatează coloana ca dată.',
    }
  return { day: null, unclear: null }
}

/** Returns null if there is no such day. */
function toDay(year: string, month: string, day: string): string | null {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(iso) ? iso : null
}

const SEXES: readonly (readonly [Sex, RegExp])[] = [
  ['female', /^(f|fem|feminin|femeie|female)$/],
  ['male', /^(m|masc|masculin|barbat|male)$/],
]

export const readSex = (text: string): Sex | null =>
  SEXES.find(([, names]) => names.test(foldText(text)))?.[0] ?? null
