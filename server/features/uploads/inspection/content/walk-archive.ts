import { pipeline, type Readable } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { stripInvisible } from '../../../../../shared/invisible-characters.ts'
import type { Finding, FindingKind } from '../../../../../shared/uploads/file-findings.ts'
import type { FileRejection } from '../../../../../shared/uploads/file-rejections.ts'
import { dicomBytesToRead } from '../facts/dicom-elements.ts'
import { isPartToRead, judgePart, judgePartName } from './office-parts.ts'
import { findActiveObjects } from './pdf-objects.ts'
import { isProgram, isRunnable } from './recognise-program.ts'
import { isDicom, isOle, isOtherArchive, isPdf, isZip } from './signatures.ts'

const MAX_ENTRIES = 2_000
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3
const MAX_RATIO = 100
/** Below this size, a small archive of very regular text may exceed MAX_RATIO without being harmful. */
const RATIO_FLOOR_BYTES = 10 * 1024 ** 2
/** The end of an archive may carry a comment; a longer one may hide another file. */
const MAX_COMMENT_LENGTH = 1024
const MAX_NAMES = 200
/**
 * Characters saved of a name. The database rejects a surrogate pair cut in half, which would block the
 * upload.
 */
const MAX_NAME_LENGTH = 300
/** The bits of the Unix file mode that carry the kind of an entry, and their value for a symbolic link. */
const KIND_MASK = 0o170000
const SYMLINK = 0o120000
/** The methods of compression in use. */
const STORED = 0
const DEFLATED = 8
const INFLATE_CHUNK_BYTES = 64 * 1024
/** Bytes of each entry that show what it is. */
const HEAD_BYTES = 4096
/** An entry is read into memory up to this size: a document in the archive, or a part of a document. */
const MAX_DOCUMENT_BYTES = 64 * 1024 ** 2
/** A document in an archive, with a table in the document; nothing deeper. */
const MAX_DEPTH = 2
/** Entries named to the reviewer; a harmful archive may have thousands. */
const MAX_RUNNABLE = 20
/** Milliseconds for the search in the PDFs of an archive; the rest is reported as not examined. */
const PDF_SEARCH_MS = 15_000

/** A text is kept up to this size; of a longer one more than is read. */
export const MAX_TEXT_BYTES = 200_000
export const isTextName = (name: string): boolean => /\.(txt|csv)$/i.test(name)

const DOCUMENT_NAME = /\.(do[ct][xm]|xl[st][xm]|xlsb|pp[ts][xm]|pot[xm]|od[tsp]|vs[dst][xm]|sld[xm])$/i

/** Why an archive is rejected. */
export class ArchiveRejected extends Error {
  readonly reason: FileRejection
  readonly findings: readonly Finding[]

  constructor(reason: FileRejection, findings: readonly Finding[] = []) {
    super(reason)
    this.reason = reason
    this.findings = findings
  }
}

export type EntryContent = {
  /** The first bytes; of a DICOM file as many as its tags need. */
  start: Buffer
  /** All bytes, where they matter and are not too many. */
  whole: Buffer | null
}
/** Reads what the walk has unpacked of an entry, with the name for people. */
type ReadEntry = (name: string, content: EntryContent) => Promise<void>

export type ArchiveContents = { entries: number; names: string[]; unpacked: number; findings: Finding[] }

type Walk = ArchiveContents & {
  /** Bytes of the outermost archive, with which the ratio is computed. */
  packedBytes: number
  /** When the search in PDFs ends. */
  deadline: number
  readEntry: ReadEntry | null
}
type Archive = {
  zip: ZipFile
  depth: number
  /** Whether it is a Word or Excel document, whose parts nobody opens by themselves. */
  isDocument: boolean
  /** The entry of the outermost archive that this archive is in; undefined for the outermost one. */
  where: string | undefined
}

/**
 * Unpacks every entry of an archive, keeping none, and returns what is in it. The limits count the bytes that
 * come out, never the sizes that the archive names. Calls `readEntry` with each accepted entry; null for a Word or
 * Excel document. Throws ArchiveRejected.
 */
export async function walkArchive(zip: ZipFile, readEntry: ReadEntry | null): Promise<ArchiveContents> {
  const walk: Walk = {
    entries: 0,
    names: [],
    unpacked: 0,
    findings: [],
    packedBytes: zip.fileSize,
    deadline: Date.now() + PDF_SEARCH_MS,
    readEntry,
  }
  await walkEntries(walk, { zip, depth: 0, isDocument: readEntry === null, where: undefined })
  rejectRunnable(walk)
  const { entries, names, unpacked, findings } = walk
  return { entries, names, unpacked, findings }
}

function rejectRunnable({ findings }: Walk): void {
  const runnable = findings.filter(({ kind }) => kind === 'executable')
  if (runnable.length > 0) throw new ArchiveRejected('executable', runnable)
}

async function walkEntries(walk: Walk, archive: Archive): Promise<void> {
  const { zip, depth } = archive
  if (zip.entryCount > MAX_ENTRIES) throw new ArchiveRejected('zip-suspicious')
  if (zip.comment.length > MAX_COMMENT_LENGTH) throw new ArchiveRejected('trailing-data')
  let packed = 0
  for await (const entry of zip.eachEntry()) {
    requireHarmless(entry)
    packed += entry.compressedSize
    // More bytes than the archive has: overlapping entries, the most effective kind of ZIP bomb.
    if (Math.max(packed, entry.relativeOffsetOfLocalHeader + entry.compressedSize) > zip.fileSize)
      throw new ArchiveRejected('zip-suspicious')
    if (isFolder(entry)) continue
    walk.entries += 1
    if (walk.entries > MAX_ENTRIES) throw new ArchiveRejected('zip-suspicious')
    const name = stripInvisible(entry.fileName).slice(0, MAX_NAME_LENGTH).toWellFormed()
    if (depth === 0 && walk.names.length < MAX_NAMES) walk.names.push(name)
    await judgeEntry(walk, archive, entry, name)
    if (walk.findings.length > MAX_RUNNABLE) rejectRunnable(walk)
  }
  if (depth === 0) requireRatio(walk.unpacked, packed)
}

/** Bytes of a folder that is compressed like a file. */
const EMPTY_DEFLATED_BYTES = 2

/** An entry named like a folder that has bytes is a file for some programs. */
const isFolder = ({ fileName, compressedSize, uncompressedSize }: Entry): boolean =>
  fileName.endsWith('/') && uncompressedSize === 0 && compressedSize <= EMPTY_DEFLATED_BYTES

const UNICODE_PATH = 0x7075

/** Whether the entry has a second name with another ending, which some programs use and others do not. */
function hasTwoEndings({ extraFields, fileNameRaw }: Entry): boolean {
  const endingOf = (bytes: Buffer) => /\.[^.]*$/.exec(bytes.toString('latin1').toLowerCase())?.[0] ?? ''
  return extraFields.some(
    // Its version and the checksum of the other name come first.
    ({ id, data }) => id === UNICODE_PATH && endingOf(data.subarray(5)) !== endingOf(fileNameRaw),
  )
}

function requireHarmless(entry: Entry): void {
  if (hasTwoEndings(entry)) throw new ArchiveRejected('zip-suspicious')
  if (entry.isEncrypted()) throw new ArchiveRejected('zip-encrypted')
  if (((entry.externalFileAttributes >>> 16) & KIND_MASK) === SYMLINK)
    throw new ArchiveRejected('zip-suspicious')
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
    throw new ArchiveRejected('zip-unsupported')
}

function requireRatio(unpacked: number, packed: number): void {
  if (unpacked > RATIO_FLOOR_BYTES && unpacked > packed * MAX_RATIO)
    throw new ArchiveRejected('zip-suspicious')
}

/** Unpacks one entry and notes what it is. */
async function judgeEntry(walk: Walk, archive: Archive, entry: Entry, name: string): Promise<void> {
  const where = archive.where ?? (archive.isDocument ? undefined : name)
  const note = (kind: FindingKind) => walk.findings.push(where === undefined ? { kind } : { kind, where })
  const content = await unpackEntry(walk, archive.zip, entry)
  const { whole } = content
  const head = content.start.subarray(0, HEAD_BYTES)
  const isRunnableHere = archive.isDocument ? isProgram(head) : isRunnable(entry.fileName, head)
  if (isRunnableHere) note('executable')
  else if (isZip(head)) await judgeInnerZip(walk, archive, entry, name, whole)
  else if (isOle(head) && !archive.isDocument) note('old-office')
  else if (isPdf(head)) noteActiveObjects(walk, whole, note)
  // Office compresses some of its pictures by itself.
  else if (isOtherArchive(head) && archive.isDocument) note('unexamined')
  else if (isOtherArchive(head)) throw nested(name)
  if (archive.depth === 0) await walk.readEntry?.(name, content)
  if (!archive.isDocument) return
  const part = judgePartName(entry.fileName)
  if (part) note(part)
  if (!isPartToRead(entry.fileName)) return
  if (whole) for (const kind of judgePart(entry.fileName, whole)) note(kind)
  else note('unexamined')
}

/** Walks a document that is an entry of an archive or of a document. Any other archive is rejected. */
async function judgeInnerZip(
  walk: Walk,
  { depth, where, isDocument }: Archive,
  entry: Entry,
  name: string,
  whole: Buffer | null,
): Promise<void> {
  if (!whole || depth >= MAX_DEPTH || !DOCUMENT_NAME.test(entry.fileName)) throw nested(where ?? name)
  const zip = await fromBufferPromise(whole, { strictFileNames: true })
  const inner = { zip, depth: depth + 1, isDocument: true, where: where ?? (isDocument ? undefined : name) }
  await walkEntries(walk, inner)
}

const nested = (where: string) => new ArchiveRejected('zip-nested', [{ kind: 'unexamined', where }])

function noteActiveObjects(walk: Walk, whole: Buffer | null, note: (kind: FindingKind) => void): void {
  if (!whole || Date.now() > walk.deadline) return void note('unexamined')
  for (const kind of findActiveObjects(whole)) note(kind)
}

/** Returns the bytes of an entry; with larger chunks than those of yauzl, inflating takes half of the time. */
async function openEntry(zip: ZipFile, entry: Entry): Promise<Readable> {
  if (entry.compressionMethod === STORED) return zip.openReadStreamPromise(entry)
  const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false })
  // An error of either stream reaches the reader of the last one.
  return pipeline(packed, createInflateRaw({ chunkSize: INFLATE_CHUNK_BYTES }), () => {})
}

/** Unpacks an entry; counts its bytes as they come out, and stops at the limits. */
async function unpackEntry(walk: Walk, zip: ZipFile, entry: Entry): Promise<EntryContent> {
  const stream = await openEntry(zip, entry)
  const chunks: Buffer[] = []
  let length = 0
  let room: number | undefined
  let isWhole = true
  for await (const chunk of stream) {
    const bytes = chunk as Buffer
    length += bytes.length
    if (length > entry.uncompressedSize) throw new ArchiveRejected('zip-suspicious')
    count(walk, bytes.length)
    if (!isWhole) continue
    chunks.push(bytes)
    if (length < HEAD_BYTES) continue
    room ??= bytesToKeep(entry.fileName, Buffer.concat(chunks))
    if (length <= room) continue
    isWhole = false
    chunks.splice(0, chunks.length, Buffer.concat(chunks).subarray(0, room))
    // What is not compressed has the length that the archive names; no more of it is needed.
    if (entry.compressionMethod !== STORED) continue
    count(walk, entry.compressedSize - length)
    length = entry.compressedSize
    break
  }
  if (length < entry.uncompressedSize) throw new Error('the entry is damaged')
  const start = Buffer.concat(chunks)
  return { start, whole: isWhole ? start : null }
}

function count(walk: Walk, bytes: number): void {
  walk.unpacked += bytes
  if (walk.unpacked > MAX_UNPACKED_BYTES) throw new ArchiveRejected('zip-suspicious')
  requireRatio(walk.unpacked, walk.packedBytes)
}

/** Documents and parts of documents are examined whole; texts and the tags of DICOM files are read. */
function bytesToKeep(name: string, start: Buffer): number {
  if (isTextName(name)) return MAX_TEXT_BYTES
  if (isPartToRead(name) || isPdf(start) || isZip(start)) return MAX_DOCUMENT_BYTES
  return isDicom(start) ? dicomBytesToRead(start) : HEAD_BYTES
}
