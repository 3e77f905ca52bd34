import { createReadStream } from 'node:fs'

/** Tab, line feed, form feed and carriage return are the control characters of text. */
const isTextByte = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d
const TEXT_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => Number(isTextByte(byte)))

/**
 * Whether a file is text (UTF-8 or a code page of one byte a letter) and not markup: whatever starts with `<`, after white
 * space, is taken for HTML, SVG or XML. UTF-16 does not count, since it can hide any of them.
 */
export async function isPlainText(path: string): Promise<boolean> {
  let begun = false
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    const bytes = chunk as Buffer
    for (const byte of bytes) if (TEXT_BYTES[byte] === 0) return false
    if (!begun) {
      const start = bytes.toString('latin1').replace(/^ï»¿/, '').trimStart()
      if (start.startsWith('<')) return false
      begun = start !== ''
    }
  }
  return begun
}

/** Characters of a text that the cross-check reads; as many as of a PDF. */
const MAX_TEXT_LENGTH = 200_000

/**
 * The beginning of a text, whatever its code page: digits and plain letters are the same in all that count as text.
 * `isWhole`: there is no more of it.
 */
export async function readText(path: string): Promise<{ text: string; isWhole: boolean }> {
  let text = ''
  for await (const chunk of createReadStream(path, { encoding: 'latin1', end: MAX_TEXT_LENGTH }))
    text += chunk
  return { text: text.slice(0, MAX_TEXT_LENGTH), isWhole: text.length <= MAX_TEXT_LENGTH }
}
