import { createInflateRaw, constants as zlib } from 'node:zlib'
import dicomParser, { type ByteStream, type Element } from 'dicom-parser'

const {
  ByteStream: Stream,
  bigEndianByteArrayParser: BIG_ENDIAN,
  littleEndianByteArrayParser: LITTLE_ENDIAN,
  readDicomElementExplicit,
  readDicomElementImplicit,
  readTag,
} = dicomParser

/** How many first bytes of a DICOM file are read: the patient's tags are there, the pixels follow. */
const START_BYTES = 64 * 1024
/** A DICOMDIR, the table of contents of a disc, names its patients anywhere. */
const DIRECTORY_BYTES = 4 * 1024 ** 2
const META_AT = 132
const UNDEFINED_LENGTH = 0xff_ff_ff_ff

const ITEM = 'xfffee000'
const ENDS: ReadonlySet<string> = new Set(['xfffee00d', 'xfffee0dd'])
const SOP_CLASS = 'x00020002'
const TRANSFER_SYNTAX = 'x00020010'
const DIRECTORY_RECORDS = 'x00041220'
const PATIENT_NAME = 'x00100010'
const PATIENT_ID = 'x00100020'
/** The last element of the patient's group, and the last one that is read (the columns of the image). */
const END_OF_PATIENT = 'x0010ffff'
const LAST_TAG = 'x00280011'

const IMPLICIT = '1.2.840.10008.1.2'
const BIG = '1.2.840.10008.1.2.2'
const DEFLATED: ReadonlySet<string> = new Set(['1.2.840.10008.1.2.1.99', '1.2.840.10008.1.2.4.95'])
const MEDIA_DIRECTORY = '1.2.840.10008.1.3.10'

/** The contents of elements by their tag, such as `x00100020`: of a file, or of one record of a DICOMDIR. */
export type DicomRecord = ReadonlyMap<string, Uint8Array>
export type DicomStart = {
  records: DicomRecord[]
  /** Whether the elements of the patient were read, with their order and lengths as they should be. */
  isReadable: boolean
  isDirectory: boolean
  isBigEndian: boolean
}

type Meta = { syntax: string; isDirectory: boolean; end: number }

/** Returns how many bytes of a file with these first bytes `readDicomStart` needs. */
export function dicomBytesToRead(head: Buffer): number {
  try {
    return readMeta(head).isDirectory ? DIRECTORY_BYTES : START_BYTES
  } catch {
    return START_BYTES
  }
}

/**
 * Reads the elements of `wanted` in the first bytes of a DICOM file, without entering a sequence or reading a
 * pixel. Never throws: what was read before an error is returned. `isWhole`: the file has no further bytes.
 */
export async function readDicomStart(
  bytes: Buffer,
  isWhole: boolean,
  wanted: ReadonlySet<string>,
): Promise<DicomStart> {
  const start: DicomStart = { records: [], isReadable: false, isDirectory: false, isBigEndian: false }
  try {
    const { syntax, isDirectory, end } = readMeta(bytes)
    start.isDirectory = isDirectory
    start.isBigEndian = syntax === BIG
    const content = DEFLATED.has(syntax)
      ? await inflateStart(bytes.subarray(end))
      : { bytes: bytes.subarray(end), isWhole: true }
    const stream = new Stream(start.isBigEndian ? BIG_ENDIAN : LITTLE_ENDIAN, content.bytes, 0)
    readElements(stream, syntax === IMPLICIT, isWhole && content.isWhole, wanted, start)
  } catch {
    // No meta information, or a transfer syntax that is not there: `isReadable` is false.
  }
  return start
}

/** Reads the meta information, which is in explicit little endian in every file. Throws if it is damaged. */
function readMeta(bytes: Buffer): Meta {
  const stream = new Stream(LITTLE_ENDIAN, bytes, META_AT)
  let syntax = ''
  let isDirectory = false
  while (peekTag(stream).startsWith('x0002')) {
    const element = readHeader(stream, false)
    const { tag, dataOffset, length } = element
    const text = () => readUid(bytes.subarray(dataOffset, dataOffset + length))
    if (tag === TRANSFER_SYNTAX) syntax = text()
    if (tag === SOP_CLASS) isDirectory = text() === MEDIA_DIRECTORY
    skipContent(stream, element, false)
  }
  if (syntax === '') throw new Error('no transfer syntax')
  return { syntax, isDirectory, end: stream.position }
}

/** Returns a unique identifier without its padding; empty if it is none. */
export function readUid(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, 80))
    .toString('latin1')
    .replace(/[\0 ]+$/, '')
  return /^[0-9.]{1,64}$/.test(text) ? text : ''
}

/** Stops after as many bytes as an uncompressed file would be read, whatever the rest would unpack to. */
async function inflateStart(deflated: Buffer): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = []
  let length = 0
  const inflating = createInflateRaw({ finishFlush: zlib.Z_SYNC_FLUSH })
  inflating.end(deflated)
  try {
    for await (const chunk of inflating) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length >= START_BYTES) break
    }
  } catch {
    // What came out before the damaged part is read.
  }
  return { bytes: Buffer.concat(chunks).subarray(0, START_BYTES), isWhole: length < START_BYTES }
}

function readElements(
  stream: ByteStream,
  isImplicit: boolean,
  isWhole: boolean,
  wanted: ReadonlySet<string>,
  into: DicomStart,
): void {
  const bytes = stream.byteArray
  let record = new Map<string, Uint8Array>()
  into.records.push(record)
  let previous = ''
  let isInDirectory = false
  try {
    while (stream.position < bytes.length) {
      const element = readHeader(stream, isImplicit)
      const { tag, length, dataOffset } = element
      if (isInDirectory && (tag === ITEM || ENDS.has(tag))) {
        // Each item has a head and an end, of which a hostile file may have half a million.
        if (record.size > 0) {
          record = new Map()
          into.records.push(record)
        }
        previous = ''
        continue
      }
      // The standard orders the elements: a second name after the first, or bytes that are no element at all.
      if (tag <= previous) return
      previous = tag
      if (tag > LAST_TAG && !into.isDirectory) break
      if (tag === DIRECTORY_RECORDS && into.isDirectory) {
        isInDirectory = true
        continue
      }
      if (wanted.has(tag) && dataOffset + length <= bytes.length)
        record.set(tag, bytes.subarray(dataOffset, dataOffset + length))
      skipContent(stream, element, isImplicit)
    }
  } catch {
    if (into.isDirectory) return
  }
  const endsHere = isWhole && stream.position === bytes.length
  const hasPatient = record.has(PATIENT_NAME) || record.has(PATIENT_ID)
  into.isReadable = into.isDirectory ? endsHere : previous > END_OF_PATIENT || (endsHere && hasPatient)
}

function peekTag(stream: ByteStream): string {
  const tag = readTag(stream)
  stream.seek(-4)
  return tag
}

/**
 * Reads the tag, type and length of an element. The library enters no sequence, since it stops at the tag
 * that it is given.
 */
function readHeader(stream: ByteStream, isImplicit: boolean): Element {
  const tag = peekTag(stream)
  // Items and the ends of sequences have no type in either encoding.
  if (isImplicit || tag.startsWith('xfffe')) return readDicomElementImplicit(stream, tag)
  const element = readDicomElementExplicit(stream, [], tag)
  if (!/^[A-Z]{2}$/.test(element.vr ?? '')) throw new Error('no element')
  return element
}

/** Moves past the content of an element. Counts the levels of nested sequences and enters none. */
function skipContent(stream: ByteStream, { length, vr }: Element, isImplicit: boolean): void {
  if (length !== UNDEFINED_LENGTH) {
    stream.seek(length)
    return
  }
  /** Of each level that is open, whether its elements have no type; those of an unknown type have none. */
  const levels = [isImplicit || vr === 'UN']
  while (levels.length > 0) {
    const hasNoType = levels.at(-1)!
    const inner = readHeader(stream, hasNoType)
    if (ENDS.has(inner.tag)) levels.pop()
    else if (inner.length === UNDEFINED_LENGTH) levels.push(hasNoType || inner.vr === 'UN')
    else stream.seek(inner.length)
  }
}
