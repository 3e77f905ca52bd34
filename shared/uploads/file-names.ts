import { stripInvisible } from '../invisible-characters.ts'

const MAX_CODE_POINTS = 200
/** The limit of ext4 and most other file systems. */
const MAX_BYTES = 255
const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|$)/i

const encoder = new TextEncoder()
const fits = (codePoints: readonly string[], extension: string): boolean =>
  codePoints.length + [...extension].length <= MAX_CODE_POINTS &&
  encoder.encode(codePoints.join('') + extension).length <= MAX_BYTES

/**
 * Returns a file name that is safe to show, to store and to extract everywhere: NFC, no invisible characters,
 * no path, none of the characters and names that Windows reserves, at most 200 code points and 255 bytes with
 * the extension kept. Letters stay as given, also ş with a cedilla. Cleaning twice gives an equal result.
 * (ASVS 5.4)
 */
export function cleanFileName(name: string): string {
  const whole = stripInvisible(name.replace(/[/\\]/g, ''))
    .normalize('NFC')
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^ +/, '')
    // Only from the beginning of a run: a long one would be read again from each of its characters.
    .replace(/(?<![ .])[ .]+$/, '')
  if (whole === '') return 'fișier'
  const safe = WINDOWS_DEVICE.test(whole) ? `_${whole}` : whole
  const extension = extensionOf(safe)
  return shortenStem(safe.slice(0, safe.length - extension.length), extension).replace(/[ .]+$/, '')
}

/** Returns the extension of a cleaned name with its dot; empty if it has none. */
export const extensionOf = (name: string): string => /\.[^. ]{1,16}$/u.exec(name)?.[0] ?? ''

/** Returns a name of the stem, as much of it as a name may have, and the short `end`. */
export function shortenStem(stem: string, end: string): string {
  const codePoints = [...stem].slice(0, MAX_CODE_POINTS)
  while (!fits(codePoints, end)) codePoints.pop()
  return codePoints.join('') + end
}

const percent = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`

/** Also encodes the four characters that encodeURIComponent leaves and RFC 8187 does not allow in a value. */
const extendedValue = (text: string): string => encodeURIComponent(text).replace(/['()*]/g, percent)

/**
 * Returns the Content-Disposition header for a file (RFC 6266): the exact name in UTF-8 (RFC 8187) and, for
 * programs that do not support that, a name without accents. Cleans the name first, so any text is safe.
 */
export function contentDisposition(name: string, kind: 'attachment' | 'inline'): string {
  const clean = cleanFileName(name)
  // Some programs decode % in the plain form, so % is replaced.
  const ascii = clean
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|[%"\\]/gu, '_')
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${extendedValue(clean)}`
}
