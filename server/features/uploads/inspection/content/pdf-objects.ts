import { inflateSync } from 'node:zlib'
import type { FindingKind } from '../../../../../shared/uploads/file-findings.ts'

/** Bytes of compressed objects that are unpacked, in all. */
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2
/** Bytes read of one dictionary. */
const DICTIONARY_BYTES = 4096
/** Actions that follow each other with `/Next`. */
const MAX_STEPS = 5

/** A name, in which any character may be written as `#` with two digits. */
const NAMES = /\/(?:JavaScript|Launch|EmbeddedFiles?|OpenAction|AA|ObjStm)(?![A-Za-z0-9#])/g
const ESCAPED_NAMES = /\/[A-Za-z0-9]{0,20}#[0-9A-Fa-f]{2}[A-Za-z0-9#]{0,60}/g
const KINDS: Readonly<Record<string, FindingKind>> = {
  '/JavaScript': 'pdf-script',
  '/Launch': 'pdf-launch',
  '/EmbeddedFile': 'pdf-attachment',
  '/EmbeddedFiles': 'pdf-attachment',
}
/** Actions that leave the document. */
const LEAVING = /\/S\s*\/(?:URI|SubmitForm|ImportData|GoToR|GoToE)(?![A-Za-z])/
/** The compression that writers use for object streams; others, or several, are not undone here. */
const ONLY_DEFLATED = /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])(?![A-Za-z])/
const PREDICTED = /\/Predictor\s+(?!1\b)/
const REFERENCE = /^\s*(\d{1,10})\s+(\d{1,5})\s+R\b/

const unescapeName = (name: string): string =>
  name.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/**
 * Returns the active content that the objects of a PDF name, also objects in compressed object streams and
 * those that no other object refers to. `unexamined`: objects that cannot be unpacked, because they are
 * encrypted or too large. A link that the reader clicks is not active.
 */
export function findActiveObjects(bytes: Buffer): Set<FindingKind> {
  const file = readObjects(bytes)
  const found = new Set<FindingKind>(file.isCut ? ['unexamined'] : [])
  for (const text of file.texts) {
    for (const { name, after } of findNames(text)) {
      const kind = KINDS[name]
      if (kind) found.add(kind)
      else if (name === '/ObjStm' || found.has('pdf-address')) continue
      else if (opensAddress(file, readAt(text, after), name === '/AA')) found.add('pdf-address')
    }
  }
  return found
}

type Names = { name: string; after: number }[]
type PdfFile = {
  /** The file itself, then each of its unpacked object streams. */
  texts: Buffer[]
  /** Where an object of an object stream begins, by its number. */
  packed: Map<number, { text: Buffer; at: number }>
  isCut: boolean
}

const WINDOW_BYTES = 8 * 1024 ** 2
const OVERLAP_BYTES = 128

/** Returns the names that matter, with the position after each; the text is read in windows. */
function findNames(text: Buffer): Names {
  const names: Names = []
  for (let start = 0; start < text.length; start += WINDOW_BYTES) {
    const window = text.toString('latin1', start, Math.min(text.length, start + WINDOW_BYTES + OVERLAP_BYTES))
    for (const pattern of [NAMES, ESCAPED_NAMES]) {
      for (const { 0: match, index } of window.matchAll(pattern)) {
        if (index >= WINDOW_BYTES) break
        const name = unescapeName(match)
        if (name in KINDS || /^\/(OpenAction|AA|ObjStm)$/.test(name))
          names.push({ name, after: start + index + match.length })
      }
    }
  }
  return names
}

const readAt = (text: Buffer, at: number): string =>
  text.toString('latin1', at, Math.min(text.length, at + DICTIONARY_BYTES))

/** Unpacks the object streams of a PDF. */
function readObjects(bytes: Buffer): PdfFile {
  const file: PdfFile = { texts: [bytes], packed: new Map(), isCut: false }
  let remaining = MAX_UNPACKED_BYTES
  for (const { name, after } of findNames(bytes)) {
    if (name !== '/ObjStm') continue
    const text = unpackStream(bytes, after, remaining)
    if (text === null) {
      file.isCut = true
      continue
    }
    remaining -= text.length
    file.texts.push(text)
    indexObjects(file, text, readFirst(bytes, after))
  }
  return file
}

/** Returns the bytes of the stream whose dictionary is around this position; null if they cannot be unpacked. */
function unpackStream(bytes: Buffer, at: number, limit: number): Buffer | null {
  const keyword = bytes.indexOf('stream', at, 'latin1')
  if (keyword < 0 || keyword - at > DICTIONARY_BYTES || limit <= 0) return null
  const start =
    keyword + 'stream'.length + (bytes[keyword + 6] === 0x0d && bytes[keyword + 7] === 0x0a ? 2 : 1)
  const end = bytes.indexOf('endstream', start, 'latin1')
  const packed = bytes.subarray(start, end < 0 ? bytes.length : end)
  const dictionary = unescapeName(dictionaryAround(bytes, at, keyword))
  if (!dictionary.includes('/Filter')) return packed.subarray(0, limit)
  if (!ONLY_DEFLATED.test(dictionary) || PREDICTED.test(dictionary)) return null
  try {
    // Bytes after the end of the compressed data, such as a line end, are ignored.
    return inflateSync(packed, { maxOutputLength: limit })
  } catch {
    return null
  }
}

function dictionaryAround(bytes: Buffer, at: number, keyword: number): string {
  const text = bytes.toString('latin1', Math.max(0, at - DICTIONARY_BYTES), keyword)
  return text.slice(Math.max(0, text.lastIndexOf(' obj')))
}

/** Returns where the first object of an object stream begins, after the list of numbers. */
function readFirst(bytes: Buffer, at: number): number {
  const keyword = bytes.indexOf('stream', at, 'latin1')
  const [, first] = /\/First\s+(\d{1,9})/.exec(unescapeName(dictionaryAround(bytes, at, keyword))) ?? []
  return Number(first ?? 0)
}

function indexObjects(file: PdfFile, text: Buffer, first: number): void {
  for (const [, number, offset] of text.toString('latin1', 0, first).matchAll(/(\d{1,10})\s+(\d{1,10})/g))
    file.packed.set(Number(number), { text, at: first + Number(offset) })
}

/** Whether the value of `/OpenAction` or `/AA` leaves the document, also in a later step of the action. */
function opensAddress(file: PdfFile, value: string, isList: boolean, steps = MAX_STEPS): boolean {
  if (steps === 0) return false
  const [, number, generation] = REFERENCE.exec(value) ?? []
  if (number !== undefined) {
    return findObject(file, Number(number), Number(generation)).some((text) =>
      opensAddress(file, text, isList, steps - 1),
    )
  }
  const dictionary = cutDictionary(value)
  if (dictionary === null) return false
  if (LEAVING.test(unescapeName(dictionary))) return true
  // The events of `/AA` each have an action; any other action may have a next one.
  const following = isList ? /\/\w+\s+(\d{1,10}\s+\d{1,5}\s+R)/g : /\/Next\s*\[?\s*(\d{1,10}\s+\d{1,5}\s+R)/g
  return [...dictionary.matchAll(following)].some(([, reference]) =>
    opensAddress(file, reference!, false, steps - 1),
  )
}

/** Returns every version of an object; an update of the file may have replaced it. */
function findObject({ texts, packed }: PdfFile, number: number, generation: number): string[] {
  const [file] = texts as [Buffer]
  const head = `${number} ${generation} obj`
  const versions: string[] = []
  for (let at = file.indexOf(head, 0, 'latin1'); at >= 0; at = file.indexOf(head, at + 1, 'latin1')) {
    const before = file[at - 1]
    const isDigit = before !== undefined && before >= 0x30 && before <= 0x39
    if (!isDigit) versions.push(readAt(file, at + head.length))
    if (versions.length > MAX_STEPS) break
  }
  const inside = packed.get(number)
  return inside ? [...versions, readAt(inside.text, inside.at)] : versions
}

/** Returns the dictionary at the start of the text; null if it is of another type, such as a page. */
function cutDictionary(text: string): string | null {
  const trimmed = text.trimStart()
  if (!trimmed.startsWith('<<')) return null
  let depth = 0
  for (const { 0: sign, index } of trimmed.matchAll(/<<|>>/g)) {
    depth += sign === '<<' ? 1 : -1
    if (depth === 0) return trimmed.slice(0, index)
  }
  return trimmed
}
