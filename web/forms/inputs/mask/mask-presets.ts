import { formatDateText } from '../datepicker/date-text.ts'
import { type Mask, parseMask } from './mask.ts'

export type MaskPreset = 'cnp' | 'cui' | 'phone' | 'date'

const PRESETS: Record<MaskPreset, Mask> = {
  cnp: parseMask('#'.repeat(13)),
  /** Two to ten digits, optionally after RO. */
  cui: parseMask(`[RO]##${'[#'.repeat(8)}${']'.repeat(8)}`),
  /** Nine digits, optionally after 0, +40, or +40 and 0. A leading 00 is converted to +. */
  phone: parseMask('[+40 ][0]### ### ###', (text) => text.replace(/^\D*0\D*0(?=\D*4)/, '+')),
  date: parseMask('##.##.####', readDate),
}

/** Returns the mask of a preset name or of a pattern. */
export function findMask(mask: string): Mask {
  return Object.hasOwn(PRESETS, mask) ? PRESETS[mask as MaskPreset] : parseMask(mask)
}

/**
 * Adds missing zeros to `3.4.1985` and `3/4/85` once a separator follows the digit; converts `1985-04-03`.
 */
function readDate(text: string): string {
  const trimmed = text.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(trimmed)) return formatDateText(trimmed)
  return trimmed
    .replace(/^(\d)\s*[./\-\s]/, '0$1.')
    .replace(/^(\d\d)\s*[./\-\s]\s*(\d)\s*[./\-\s]/, '$1.0$2.')
}
