import { weightedSum } from './check-digit.ts'

type CuiProblem = 'digits' | 'length' | 'check-digit'

type ParsedCui =
  | {
      ok: true
      /** Digits only, without the prefix. */
      cui: string
      /** Written with the prefix RO, which only VAT payers have. */
      vatPayer: boolean
    }
  | { ok: false; reason: CuiProblem; message: string }

const MESSAGES: Record<CuiProblem, string> = {
  digits: 'CUI-ul conține doar cifre (prima nu este 0), eventual precedate de RO.',
  length: 'CUI-ul are între 2 și 10 cifre.',
  'check-digit': 'CUI-ul nu este corect: cifra de control nu se potrivește. Verifică fiecare cifră.',
}

const fail = (reason: CuiProblem): ParsedCui => ({ ok: false, reason, message: MESSAGES[reason] })

/** Weights of all digits but the last, padded with zeros to nine. */
const WEIGHTS = '753217532'

/**
 * Parses the tax code of an organisation (CUI / CIF) as people type it: `RO 18547290`, spaces and dashes
 * allowed.
 */
export function parseCui(text: string): ParsedCui {
  const compact = text.replace(/[\s\p{Pd}]/gu, '').toUpperCase()
  const vatPayer = compact.startsWith('RO')
  const cui = vatPayer ? compact.slice(2) : compact
  if (!/^(?:[1-9]\d*)?$/.test(cui)) return fail('digits')
  if (cui.length < 2 || cui.length > 10) return fail('length')
  const check = (weightedSum(cui.slice(0, -1).padStart(9, '0'), WEIGHTS) * 10) % 11
  if (String(check === 10 ? 0 : check) !== cui.slice(-1)) return fail('check-digit')
  return { ok: true, cui, vatPayer }
}
