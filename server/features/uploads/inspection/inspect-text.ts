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

/** Bytes of a text that the cross-check reads; the limit for a PDF's text is equal. */
const MAX_TEXT_LENGTH = 200_000

export type PlainText = {
  text: string
  /** Whether the text ends there. */
  isWhole: boolean
  /** It is no UTF-8 and was read as windows-1250, whose Romanian letters are those of ISO 8859-2 too. */
  isGuessed: boolean
}

/** Returns the beginning of a text. */
export async function readText(file: OpenedFile): Promise<PlainText> {
  const bytes = await file.read(0, MAX_TEXT_LENGTH)
  const isWhole = file.size <= MAX_TEXT_LENGTH
  try {
    // A character that is cut at the limit is left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return { text, isWhole, isGuessed: false }
  } catch {
    return { text: new TextDecoder('windows-1250').decode(bytes), isWhole, isGuessed: true }
  }
}
