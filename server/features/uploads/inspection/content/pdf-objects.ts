import { inflateSync } from 'node:zlib'
import type { FindingKind } from '../../../../../shared/uploads/file-findings.ts'
import {
  type PdfDictionary,
  PdfReader,
  type PdfValue,
  ReadingBudget,
  skipSpace,
  UnreadablePdf,
  unescapeName,
} from './pdf-syntax.ts'

/** Bytes of compressed objects that are unpacked, in all. */
const MAX_UNPACKED_BYTES = 64 * 1024 ** 2
/** Bytes of dictionaries that are read, in all; about two seconds. */
const MAX_READ_BYTES = 64 * 1024 ** 2
const MAX_OBJECTS = 1_000_000

const KINDS: Readonly<Record<string, FindingKind>> = {
  JavaScript: 'pdf-script',
  OnInstantiate: 'pdf-script',
  XFA: 'pdf-form',
  Launch: 'pdf-launch',
  EmbeddedFile: 'pdf-attachment',
  EmbeddedFiles: 'pdf-attachment',
  Rendition: 'pdf-media',
  RichMedia: 'pdf-media',
  Movie: 'pdf-media',
  Sound: 'pdf-media',
}
/** A name, in which any character may be written as `#` with two digits. */
const NAMES = new RegExp(`/(?:${Object.keys(KINDS).join('|')}|OpenAction|AA)(?![A-Za-z0-9#])`, 'g')
const ESCAPED_NAMES = /\/[A-Za-z0-9]{0,20}#[0-9A-Fa-f]{2}[A-Za-z0-9#]{0,60}/g
/** Actions that leave the document. */
const LEAVING: ReadonlySet<string> = new Set(['URI', 'SubmitForm', 'ImportData', 'GoToR', 'GoToE'])
/** The head of an object; its number is absent where a comment separates it. */
const OBJECTS = /(?:(\d{1,10})[\0\t\n\f\r ]{1,100}\d{1,10}[\0\t\n\f\r ]{0,100}|(?<![A-Za-z]))obj(?![A-Za-z])/g
const STREAMS = /(?<![^\0\t\n\f\r ()<>[\]{}%])stream(?=[\0\t\n\f\r ()<>[\]{}/%])/g

/**
 * Returns the active content that the objects of a PDF name, also objects in compressed object streams and
 * those that no other object refers to. `unexamined`: something that is not understood, is encrypted or is
 * beyond the limits. A link that the reader clicks is not active.
 */
export function findActiveObjects(bytes: Buffer): Set<FindingKind> {
  const found = new Set<FindingKind>()
  const file: PdfFile = {
    bytes,
    texts: [bytes],
    objects: new Map(),
    count: 0,
    budget: new ReadingBudget(MAX_READ_BYTES),
    unpacked: new Map(),
    remaining: MAX_UNPACKED_BYTES,
    isCut: false,
  }
  try {
    readObjects(file)
  } catch (error) {
    noteCut(file, error)
  }
  for (const text of file.texts) {
    for (const { name } of findNames(text)) if (KINDS[name]) found.add(KINDS[name])
  }
  try {
    if (opensAddress(file)) found.add('pdf-address')
  } catch (error) {
    noteCut(file, error)
  }
  if (file.isCut) found.add('unexamined')
  return found
}

type Place = { text: Buffer; at: number }
type PdfFile = {
  bytes: Buffer
  /** The file itself, then each of its unpacked object streams. */
  texts: Buffer[]
  /** Where each version of an object begins, by its number. */
  objects: Map<number, Place[]>
  count: number
  budget: ReadingBudget
  /** The unpacked object streams by their positions; null: not understood. */
  unpacked: Map<number, Place | null>
  remaining: number
  /** Whether something was not understood or not reached. */
  isCut: boolean
}

function noteCut(file: PdfFile, error: unknown): void {
  if (!(error instanceof UnreadablePdf)) throw error
  file.isCut = true
}

const WINDOW_BYTES = 8 * 1024 ** 2
const OVERLAP_BYTES = 256

/** Finds a pattern in a long text, which is read in windows that overlap. */
function* findAll(text: Buffer, pattern: RegExp): Generator<{ match: RegExpExecArray; at: number }> {
  for (let start = 0; start < text.length; start += WINDOW_BYTES) {
    const from = Math.max(0, start - OVERLAP_BYTES)
    const window = text.toString('latin1', from, Math.min(text.length, start + WINDOW_BYTES + OVERLAP_BYTES))
    for (const match of window.matchAll(pattern)) {
      const at = from + match.index
      if (at >= start && at < start + WINDOW_BYTES) yield { match, at }
    }
  }
}

/** Returns the names that matter, with the position after each. */
function* findNames(text: Buffer): Generator<{ name: string; after: number }> {
  for (const pattern of [NAMES, ESCAPED_NAMES]) {
    for (const { match, at } of findAll(text, pattern)) {
      const name = unescapeName(match[0].slice(1)).trim()
      if (name === 'OpenAction' || name === 'AA' || Object.hasOwn(KINDS, name))
        yield { name, after: at + match[0].length }
    }
  }
}

/** Notes where each object begins, and unpacks the object streams. */
function readObjects(file: PdfFile): void {
  const streams = new Set<number>()
  for (const { match, at } of findAll(file.bytes, OBJECTS)) {
    const after = at + match[0].length
    const isOrdinary = match[1] !== undefined && !/[\r\n]/.test(match[0])
    if (match[1] !== undefined) addObject(file, Number(match[1]), { text: file.bytes, at: after })
    const isDictionary = readStream(file, after, streams)
    // A comment in the head of the object may hide its number.
    if (isDictionary && !isOrdinary) file.isCut = true
  }
  for (const { at } of findAll(file.bytes, STREAMS)) {
    // No object was read up to here: the stream belongs to one that is written in an unknown way.
    if (!streams.has(at) && mayBeginStream(file.bytes, at)) file.isCut = true
  }
}

function addObject(file: PdfFile, number: number, place: Place): void {
  file.count += 1
  if (file.count > MAX_OBJECTS) throw new UnreadablePdf('too many objects')
  const versions = file.objects.get(number)
  if (versions) versions.push(place)
  else file.objects.set(number, [place])
}

/** Whether the word follows a dictionary, or perhaps a comment. */
function mayBeginStream(bytes: Buffer, at: number): boolean {
  for (let before = at - 1; before >= 0; before -= 1) {
    const character = String.fromCharCode(bytes[before]!)
    if (character === '>' || character === '\n' || character === '\r') return true
    if (!/[\0\t\f ]/.test(character)) return false
  }
  return false
}

/**
 * Reads the dictionary at this position, and unpacks the stream after it if it contains objects. Returns
 * whether there is a dictionary.
 */
function readStream(file: PdfFile, at: number, streams: Set<number>): boolean {
  const { bytes, budget } = file
  const start = skipSpace(bytes, at, budget)
  if (bytes.toString('latin1', start, start + 2) !== '<<') return false
  const reader = new PdfReader(bytes, start, budget)
  try {
    const dictionary = reader.readValue()
    if (!reader.skipKeyword('stream') || dictionary.type !== 'dictionary') return true
    streams.add(reader.at - 'stream'.length)
    const keys = new Set(dictionary.entries.map(([key]) => key))
    if (keys.has('First') && keys.has('N')) readObjectStream(file, dictionary, reader.at)
  } catch (error) {
    noteCut(file, error)
    // Ends the search once there is no budget left.
    budget.spend(0)
  }
  return true
}

/** Throws UnreadablePdf for a stream in another form than writers use. */
function readObjectStream(file: PdfFile, dictionary: PdfDictionary, at: number): void {
  const first = readOnly(dictionary, 'First')
  if (first?.type !== 'number') throw new UnreadablePdf('no first object')
  const place = unpackStream(file, dictionary, at)
  const header = place.text.toString('latin1', place.at, place.at + first.value)
  if (!/^[\d\0\t\n\f\r ]*$/.test(header)) throw new UnreadablePdf('no list of objects')
  file.budget.spend(header.length)
  for (const [, number, offset] of header.matchAll(/(\d+)[^\d]+(\d+)/g))
    addObject(file, Number(number), { text: place.text, at: place.at + first.value + Number(offset) })
}

/** Returns the value of a key; undefined if it is absent. Throws UnreadablePdf if it is there twice. */
function readOnly({ entries }: PdfDictionary, key: string): PdfValue | undefined {
  const values = entries.filter(([name]) => name === key)
  if (values.length > 1) throw new UnreadablePdf(`two values of ${key}`)
  return values[0]?.[1]
}

/** Returns where the bytes of a stream begin once they are unpacked. */
function unpackStream(file: PdfFile, dictionary: PdfDictionary, at: number): Place {
  const { bytes } = file
  const [line] = /^[\t ]{0,9}(?:\r\n|\r|\n)/.exec(bytes.toString('latin1', at, at + 11)) ?? []
  if (line === undefined) throw new UnreadablePdf('no line end')
  const start = at + line.length
  const known = file.unpacked.get(start)
  if (known) return known
  if (known === null) throw new UnreadablePdf('not unpacked')
  file.unpacked.set(start, null)
  const place = isDeflated(dictionary) ? { text: inflate(file, start), at: 0 } : { text: bytes, at: start }
  file.unpacked.set(start, place)
  return place
}

/** Returns false for a stream without compression. Throws UnreadablePdf for any but the usual one. */
function isDeflated(dictionary: PdfDictionary): boolean {
  const filter = takeSingle(readOnly(dictionary, 'Filter'))
  const parameters = takeSingle(readOnly(dictionary, 'DecodeParms'))
  // Some programs also read the short names of the keys.
  if (dictionary.entries.some(([key]) => key === 'F' || key === 'DP'))
    throw new UnreadablePdf('unknown coding')
  if (parameters?.type === 'dictionary') {
    const predictor = readOnly(parameters, 'Predictor')
    if (predictor && !(predictor.type === 'number' && predictor.value === 1))
      throw new UnreadablePdf('unknown coding')
  } else if (parameters && parameters.type !== 'other') throw new UnreadablePdf('unknown coding')
  if (filter === undefined) return false
  if (filter.type !== 'name' || filter.name !== 'FlateDecode') throw new UnreadablePdf('unknown coding')
  return true
}

/** Returns the only item of an array, or the value itself if it is no array. */
function takeSingle(value: PdfValue | undefined): PdfValue | undefined {
  if (value?.type !== 'array') return value
  if (value.items.length > 1) throw new UnreadablePdf('several codings')
  return value.items[0]
}

function inflate(file: PdfFile, start: number): Buffer {
  try {
    // Bytes after the end of the compressed data, such as a line end, are ignored.
    const text = inflateSync(file.bytes.subarray(start), { maxOutputLength: Math.max(1, file.remaining) })
    file.remaining -= text.length
    file.texts.push(text)
    return text
  } catch {
    // Also data that could be unpacked in part counts, so that many of them end the search.
    file.remaining -= 1024 ** 2
    throw new UnreadablePdf('not unpacked')
  }
}

/** What a value is: the events of `/AA` each have an action, and an action may have further ones. */
type Step = { value: PdfValue; purpose: 'events' | 'action' | 'actions' }

/** Whether an action that starts by itself leaves the document, also in a later step of the action. */
function opensAddress(file: PdfFile): boolean {
  const seen = new Set<string>()
  for (const text of file.texts) {
    for (const { name, after } of findNames(text)) {
      if (name !== 'OpenAction' && name !== 'AA') continue
      const at = skipSpace(text, after, file.budget)
      // Anything else is the page to show, or bytes of an image that look like a name.
      if (!/^(?:<<|\d)/.test(text.toString('latin1', at, at + 2))) continue
      const value = readPlace(file, { text, at })
      if (value && leaves(file, { value, purpose: name === 'AA' ? 'events' : 'action' }, seen)) return true
    }
  }
  return false
}

function readPlace(file: PdfFile, { text, at }: Place): PdfValue | null {
  try {
    return new PdfReader(text, at, file.budget).readValue()
  } catch (error) {
    noteCut(file, error)
    file.budget.spend(0)
    return null
  }
}

function leaves(file: PdfFile, first: Step, seen: Set<string>): boolean {
  const steps = [first]
  for (let step = steps.pop(); step; step = steps.pop()) {
    const { value, purpose } = step
    if (value.type === 'reference') {
      const key = `${purpose} ${value.number}`
      if (seen.has(key)) continue
      seen.add(key)
      for (const version of findVersions(file, value.number)) steps.push({ value: version, purpose })
    } else if (value.type === 'array' && purpose === 'actions') {
      for (const item of value.items) steps.push({ value: item, purpose: 'action' })
    } else if (value.type === 'dictionary') {
      for (const [key, entry] of value.entries) {
        if (purpose === 'events') steps.push({ value: entry, purpose: 'action' })
        else if (key === 'Next') steps.push({ value: entry, purpose: 'actions' })
        else if (key === 'S' && isLeaving(file, entry)) return true
      }
    }
  }
  return false
}

const isLeaving = (file: PdfFile, value: PdfValue): boolean =>
  value.type === 'reference'
    ? findVersions(file, value.number).some(
        (version) => version.type !== 'reference' && isLeaving(file, version),
      )
    : value.type === 'name' && LEAVING.has(value.name.trim())

/** Returns every version of an object; an update of the file may have replaced it. */
function findVersions(file: PdfFile, number: number): PdfValue[] {
  const places = file.objects.get(number)
  // It may be written in a way that is not recognised.
  if (!places) file.isCut = true
  return (places ?? []).flatMap((place) => readPlace(file, place) ?? [])
}
