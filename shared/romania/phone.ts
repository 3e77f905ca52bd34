type PhoneProblem = 'characters' | 'prefix' | 'length'

type ParsedPhone =
  | {
      ok: true
      /** `+` and 7 to 15 digits (ITU-T E.164). */
      e164: string
    }
  | { ok: false; reason: PhoneProblem; message: string }

const MESSAGES: Record<PhoneProblem, string> = {
  characters: 'Numărul de telefon conține doar cifre, eventual cu + la început.',
  prefix: 'Numărul începe cu 0 în România (07…, 02…, 03…) sau cu + și prefixul țării.',
  length: 'Numărul de telefon nu are numărul corect de cifre.',
}

const fail = (reason: PhoneProblem): ParsedPhone => ({ ok: false, reason, message: MESSAGES[reason] })

/** Country code 40, then nine digits: 2 and 3 fixed, 6 and 7 mobile, 8 and 9 services. */
const ROMANIAN = /^\+40[236789]\d{8}$/

/**
 * Parses a phone number as people write it: `0722 123 456`, `(0264) 123-456`, `+40 (0)722.123.456`, `0040…`,
 * and foreign numbers with `+` or `00` and their country code.
 */
export function parsePhone(text: string): ParsedPhone {
  const compact = text.replace(/[\s\p{Pd}./()]/gu, '')
  if (!/^\+?\d+$/.test(compact)) return fail('characters')
  const international = compact.replace(/^00/, '+').replace(/^0/, '+40')
  if (!/^\+[1-9]/.test(international)) return fail('prefix')
  // Many people write the national 0 after the country code as well.
  const e164 = international.replace(/^\+400/, '+40')
  if (!e164.startsWith('+40')) return /^\+\d{7,15}$/.test(e164) ? { ok: true, e164 } : fail('length')
  if (e164.length !== '+40722123456'.length) return fail('length')
  return ROMANIAN.test(e164) ? { ok: true, e164 } : fail('prefix')
}

/**
 * Formats as Romanians do: 021 123 4567 in București and Ilfov, 0722 123 456 elsewhere. Foreign numbers stay
 * E.164.
 */
export function formatPhone(e164: string): string {
  if (!ROMANIAN.test(e164)) return e164
  const national = `0${e164.slice(3)}`
  const area = /^0[23]1/.test(national) ? 3 : 4
  return `${national.slice(0, area)} ${national.slice(area, area + 3)} ${national.slice(area + 3)}`
}

/** Whether the number is a Romanian mobile number, which can receive text messages. */
export const isMobile = (e164: string): boolean => /^\+40[67]\d{8}$/.test(e164)
