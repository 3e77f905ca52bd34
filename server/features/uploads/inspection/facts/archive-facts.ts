import type { FileFact } from '../../../../../shared/uploads/file-facts.ts'
import { isDicom, isPdf, isZip } from '../content/signatures.ts'
import { type EntryContent, isTextName } from '../content/walk-archive.ts'
import { decodeText, isTextBytes } from '../inspect-text.ts'
import type { DicomDetails, FileDetails } from '../inspection.ts'
import { findDicomFacts } from './dicom-facts.ts'
import { factKey, isOfPerson, keepWithin } from './distinct-facts.ts'
import { findTextFacts } from './text-facts.ts'

/** What a document says; `hasText`: on each of its pages, all of it read. */
export type DocumentFacts = { facts: readonly FileFact[]; isReadable: boolean; hasText: boolean }

/** Bytes of one document whose text is read, and of all documents of an archive. */
const MAX_DOCUMENT_BYTES = 20 * 1024 ** 2
const MAX_DOCUMENTS_BYTES = 200 * 1024 ** 2
/** Images whose identifier is kept: those with the smallest, so that two copies of a study keep the same. */
const MAX_INSTANCES = 64
const MAX_SERIES = 64
const MAX_NAMES = 5
/** Facts kept of one document in the archive. */
const MAX_ENTRY_FACTS = 60
/** Files that systems add to archives by themselves. */
const SYSTEM_FILE = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/i
const APPLE_DOUBLE = Buffer.from([0, 5, 0x16, 7])

export type ArchiveFacts = {
  stated: FileFact[]
  details: Pick<FileDetails, 'dicom' | 'unreadEntries' | 'unreadable' | 'factsCut'>
}

export type ArchiveReader = {
  /** Reads an entry, which the walk has accepted. */
  read(name: string, content: EntryContent): Promise<void>
  /** Returns what all entries say. */
  finish(): ArchiveFacts
}

/** Reads the documents among the entries of an archive. */
export type DocumentReaders = {
  pdf(bytes: Buffer): Promise<DocumentFacts>
  office(bytes: Buffer, kind: 'word' | 'sheet'): Promise<DocumentFacts>
}

const OFFICE_KINDS = { docx: 'word', xlsx: 'sheet' } as const

/**
 * Opens a reader of an archive's entries: DICOM files by their first bytes, texts, and documents with `readers`. All other
 * entries, and those that cannot be read, are counted as unread. After `hasTime` returns false no further
 * entry is read.
 */
export function openArchiveReader(readers: DocumentReaders, hasTime: () => boolean): ArchiveReader {
  const kept: FileFact[] = []
  const known = new Set<string>()
  const seriesEntries = new Map<string, FileFact>()
  const instances = new Map<string, FileFact>()
  const modalities = new Set<string>()
  let dicom: DicomDetails | undefined
  let images = 0
  let documentBytes = 0
  let isCut = false
  const unread = { count: 0, names: [] as string[] }
  /** Whether a document or DICOM file could not be read, as opposed to one that says nothing. */
  let hasUnreadable = false

  const noteUnread = (name: string) => {
    unread.count += 1
    if (unread.names.length < MAX_NAMES) unread.names.push(name)
  }

  const keepOnce = (key: string, facts: readonly FileFact[]) => {
    if (known.has(key)) return
    known.add(key)
    kept.push(...facts)
  }

  /** The facts about the person are kept together: twins have the same birth date. */
  const keepDocument = (name: string, facts: readonly FileFact[]) => {
    const ofEntry = keepWithin(facts, MAX_ENTRY_FACTS)
    isCut ||= ofEntry.isCut
    const named = ofEntry.facts.map((fact) => ({ ...fact, place: { ...fact.place, entry: name } }))
    const ofPerson = named.filter(isOfPerson)
    keepOnce(ofPerson.map(factKey).join('\n'), ofPerson)
    for (const fact of named) {
      if (isOfPerson(fact)) continue
      if (fact.kind === 'series') keepFirst(seriesEntries, fact)
      else if (fact.kind === 'instance') keepFirst(instances, fact)
      else keepOnce(factKey(fact), [fact])
    }
  }

  const readDicom = async (name: string, { start, whole }: EntryContent): Promise<boolean> => {
    const { facts, details, isReadable } = await findDicomFacts(start, whole !== null)
    keepDocument(name, facts)
    if (facts.some(({ kind }) => kind === 'instance')) {
      images += 1
      dicom ??= details
      if (details.modality) modalities.add(details.modality)
    }
    hasUnreadable ||= !isReadable
    return isReadable && facts.some(isOfPerson)
  }

  const readDocument = async (
    name: string,
    { whole }: EntryContent,
    read: (bytes: Buffer) => Promise<DocumentFacts>,
  ): Promise<boolean> => {
    if (!whole || whole.length > MAX_DOCUMENT_BYTES || documentBytes + whole.length > MAX_DOCUMENTS_BYTES) {
      hasUnreadable = true
      return false
    }
    documentBytes += whole.length
    const { facts, isReadable, hasText } = await read(whole)
    keepDocument(name, facts)
    hasUnreadable ||= !isReadable
    return isReadable && hasText && hasTime()
  }

  /** Of a text that is longer than what is kept of it, the beginning is read. */
  const readText = (name: string, { start, whole }: EntryContent): boolean => {
    if (!isTextBytes(start)) return false
    const { text, isGuessed } = decodeText(start, whole !== null)
    keepDocument(name, findTextFacts(text, /\.csv$/i.test(name), isGuessed))
    return whole !== null
  }

  /** Returns the reader of an entry; null for one that is not read. */
  const readerOf = (name: string, { start }: EntryContent) => {
    if (isDicom(start)) return readDicom
    if (isPdf(start))
      return (entry: string, content: EntryContent) => readDocument(entry, content, readers.pdf)
    const [, ending = ''] = /\.(docx|xlsx)$/.exec(name.toLowerCase()) ?? []
    if (isZip(start) && ending !== '') {
      const kind = OFFICE_KINDS[ending as keyof typeof OFFICE_KINDS]
      return (entry: string, content: EntryContent) =>
        readDocument(entry, content, (bytes) => readers.office(bytes, kind))
    }
    return isTextName(name) ? readText : null
  }

  return {
    read: async (name, content) => {
      if (content.start.length === 0 || isOfSystem(name, content.start)) return
      const read = readerOf(name, content)
      if (read && !hasTime()) hasUnreadable = true
      else if (await read?.(name, content)) return
      noteUnread(name)
    },
    finish: () => {
      const smallest = [...instances].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MAX_INSTANCES)
      const ofPersons = kept.filter(isOfPerson)
      const others = kept.filter((fact) => !isOfPerson(fact))
      const series = [...seriesEntries.values()].slice(0, MAX_SERIES)
      const stated = [...ofPersons, ...series, ...smallest.map(([, fact]) => fact), ...others]
      const counts = { images, series: seriesEntries.size }
      return {
        stated,
        details: {
          ...(dicom && { dicom: { ...dicom, modality: [...modalities].join(', '), ...counts } }),
          ...(unread.count > 0 && { unreadEntries: unread }),
          ...(isCut && { factsCut: true as const }),
          ...(hasUnreadable && { unreadable: 'entries' as const }),
        },
      }
    },
  }
}

function keepFirst(facts: Map<string, FileFact>, fact: FileFact): void {
  if (!facts.has(fact.value)) facts.set(fact.value, fact)
}

const isOfSystem = (name: string, start: Buffer): boolean =>
  SYSTEM_FILE.test(name) || (name.startsWith('__MACOSX/') && start.subarray(0, 4).equals(APPLE_DOUBLE))
