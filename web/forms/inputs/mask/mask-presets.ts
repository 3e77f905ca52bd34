import { formatDateText } from '../datepicker/date-text.ts'
import { type Mask, parseMask } from './mask.ts'

export type MaskPreset = 'cnp' | 'cui' | 'phone' | 'date'

const PRESETS: Record<MaskPreset, Mask> = {
  cnp: parseMask('#'.repeat(13)),
  /** Two to ten digits. */
  cui: parseMask(`[RO]##${'[#]'.repeat(8)}`),
  /** Romanian numbers, at home and from abroad; some write the 0 also after +40. */
  phone: { ...parseMask('[+40 ][0]### ### ###'), read: (text) => text.replace(/^\s*00/, '+') },
  date: { ...parseMask('##.##.####'), read: readDate },
}

/** The mask of a preset's name, or of a mask written out. */
export function findMask(mask: string): Mask {
  return Object.hasOwn(PRESETS, mask) ? PRESETS[mask as MaskPreset] : parseMask(mask)
}

/** `3.4.1985` and `3/4/85` get their zeros as soon as the sign after the digit stands there; `1985-04-03` is turned round. */
function readDate(text: string): string {
  const trimmed = text.trim()
  if (/^\d{4}-\d\d-\d\d$/.test(trimmed)) return formatDateText(trimmed)
  return trimmed
    .replace(/^(\d)\s*[./\-\s]/, '0$1.')
    .replace(/^(\d\d)\s*[./\-\s]\s*(\d)\s*[./\-\s]/, '$1.0$2.')
}
