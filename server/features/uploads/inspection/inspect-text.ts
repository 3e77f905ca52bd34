import { findCnps } from '../../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../../shared/romania/day.ts'
import type { FileFact } from '../../../../shared/uploads/file-facts.ts'
import { processorSeconds } from '../../../platform/processor-seconds.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'

/**
 * Whether the byte is text: the only control characters are tab, line feed, form feed and carriage return.
 */
const isTextByte = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d
const TEXT_BYTES = Uint8Array.from({ length: 256 }, (_, byte) => Number(isTextByte(byte)))

export const isTextBytes = (bytes: Uint8Array): boolean => bytes.every((byte) => TEXT_BYTES[byte] === 1)

/**
 * Whether a file is text (UTF-8 or a single-byte code page) and not markup: a text that starts with `<`,
 * after white space, counts as HTML, SVG or XML. UTF-16 is rejected, since it can hide any of these.
 */
export async function isPlainText(file: OpenedFile): Promise<boolean> {
  let hasStarted = false
  for await (const chunk of file.stream()) {
    const bytes = chunk as Buffer
    if (!isTextBytes(bytes)) return false
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
  return decodeText(await file.read(0, MAX_TEXT_LENGTH), file.size <= MAX_TEXT_LENGTH)
}

/** Returns a text, or with `isWhole` false the beginning of one. */
export function decodeText(bytes: Buffer, isWhole: boolean): PlainText {
  try {
    // A character that is cut at the limit is left out.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return { text, isWhole, isGuessed: false }
  } catch {
    return { text: new TextDecoder('windows-1250').decode(bytes), isWhole, isGuessed: true }
  }
}

/** More are cut. */
const MAX_LATER_CNPS = 10_000
/** A CNP in wide groups is shorter. */
const OVERLAP_LENGTH = 600

/**
 * Returns the CNPs after the beginning of a long text, as far as the process has not used `seconds` of processor time;
 * nothing else of it is read.
 */
export async function findLaterCnps(file: OpenedFile, seconds: number): Promise<FileFact[]> {
  const today = todayInRomania()
  const decoder = new TextDecoder()
  const facts: FileFact[] = []
  let rest = ''
  for (let at = MAX_TEXT_LENGTH - OVERLAP_LENGTH; at < file.size; at += MAX_TEXT_LENGTH) {
    if (processorSeconds() > seconds || facts.length > MAX_LATER_CNPS) break
    const text = rest + decoder.decode(await file.read(at, MAX_TEXT_LENGTH), { stream: true })
    for (const { cnp, isDoubtful } of findCnps(text, today))
      facts.push({ kind: 'cnp', value: cnp, place: { in: 'text' }, ...(isDoubtful && { isDoubtful }) })
    rest = text.slice(-OVERLAP_LENGTH)
  }
  return facts
}
