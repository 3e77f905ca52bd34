import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'

/**
 * Whether the byte is text: the only control characters are tab, line feed, form feed and carriage return.
 */
const isTextByte = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d
const TEXT_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => Number(isTextByte(byte)))

/**
 * Whether a file is text (UTF-8 or a single-byte code page) and not markup: a text that starts with `<`,
 * after white space, counts as HTML, SVG or XML. UTF-16 is rejected, since it can hide any of these.
 */
export async function isPlainText(file: OpenedFile): Promise<boolean> {
  let hasStarted = false
  for await (const chunk of file.stream()) {
    const bytes = chunk as Buffer
    for (const byte of bytes) if (TEXT_BYTES[byte] === 0) return false
    if (!hasStarted) {
      const start = bytes.toString('latin1').replace(/^ï»¿/, '').trimStart()
      if (start.startsWith('<')) return false
      hasStarted = start !== ''
    }
  }
  return hasStarted
}

/** Characters of a text that the cross-check reads; the limit for a PDF's text is equal. */
const MAX_TEXT_LENGTH = 200_000

/**
 * Returns the beginning of a text in any accepted code page: digits and ASCII letters have the same bytes in
 * all of them. `isWhole`: the text ends there.
 */
export async function readText(file: OpenedFile): Promise<{ text: string; isWhole: boolean }> {
  let text = ''
  for await (const chunk of file.stream({ encoding: 'latin1', end: MAX_TEXT_LENGTH })) text += chunk
  return { text: text.slice(0, MAX_TEXT_LENGTH), isWhole: text.length <= MAX_TEXT_LENGTH }
}
