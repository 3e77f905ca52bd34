import { findBirthDateError } from '../../../../../shared/birth-dates.ts'
import { parseCnp } from '../../../../../shared/romania/cnp.ts'
import { todayInRomania } from '../../../../../shared/romania/day.ts'
import { normaliseText } from '../../../../../shared/romania/names.ts'
import type { FactKind, FileFact } from '../../../../../shared/uploads/file-facts.ts'
import type { DicomDetails } from '../inspection.ts'
import { type DicomRecord, readDicomStart, readUid } from './dicom-elements.ts'
import { decodeDicomText } from './dicom-text.ts'
import { keepDistinct } from './distinct-facts.ts'

export type DicomFacts = {
  facts: FileFact[]
  details: DicomDetails
  /** Whether the patient's tags could be read; they may be empty. If not, all facts are doubtful. */
  isReadable: boolean
}

const CHARACTER_SET = 'x00080005'
const MODALITY = 'x00080060'
const STUDY_DATE = 'x00080020'
const DESCRIPTION = 'x00081030'
const BODY_PART = 'x00180015'
const ROWS = 'x00280010'
const COLUMNS = 'x00280011'

/** Longer values are cut: the database keeps 300 characters of a fact. */
const MAX_VALUE_LENGTH = 300
const MAX_DETAIL_LENGTH = 100
/** The longest name, of three groups of 64 characters, has fewer bytes in every character set. */
const MAX_TEXT_BYTES = 1024

type Text = { text: string; isDoubtful: boolean }
type Reader = (text: string) => string[]

/** Where each fact is, and how its value is read. */
const SOURCES: readonly { tag: string; kind: FactKind; read: Reader }[] = [
  { tag: 'x00100020', kind: 'cnp', read: readCnps },
  { tag: 'x00101000', kind: 'cnp', read: readCnps },
  { tag: 'x00100010', kind: 'name', read: readName },
  { tag: 'x00100030', kind: 'birth-date', read: readBirthDate },
  { tag: 'x00080050', kind: 'accession', read: readLine },
  { tag: STUDY_DATE, kind: 'examined-on', read: readDate },
  { tag: 'x00080022', kind: 'examined-on', read: readDate },
  { tag: 'x00080090', kind: 'doctor', read: readName },
  { tag: 'x00080080', kind: 'institution', read: readLine },
  { tag: 'x00080018', kind: 'instance', read: readIdentifier },
  { tag: 'x0020000e', kind: 'series', read: readIdentifier },
]

const WANTED: ReadonlySet<string> = new Set([
  ...SOURCES.map(({ tag }) => tag),
  ...[CHARACTER_SET, MODALITY, DESCRIPTION, BODY_PART, ROWS, COLUMNS],
])

/**
 * Returns what the tags in the first bytes of a DICOM file say (`dicomBytesToRead`); of a DICOMDIR, what its
 * records say. `isWhole`: the file has no further bytes. Never throws.
 */
export async function findDicomFacts(bytes: Buffer, isWhole: boolean): Promise<DicomFacts> {
  const { records, isReadable, isBigEndian } = await readDicomStart(bytes, isWhole, WANTED)
  const stated = records.flatMap((record) => findFactsOfRecord(record))
  const distinct = keepDistinct(stated)
  const facts = isReadable ? distinct : distinct.map((fact) => ({ ...fact, isDoubtful: true as const }))
  return { facts, details: findDetails(records[0] ?? new Map(), isBigEndian), isReadable }
}

function findFactsOfRecord(record: DicomRecord): FileFact[] {
  return SOURCES.flatMap(({ tag, kind, read }) => {
    const { text, isDoubtful } = decode(record, tag)
    const place = { in: 'tag', tag: `${tag.slice(1, 5)},${tag.slice(5)}` } as const
    return read(text)
      .filter((value) => value !== '')
      .map((value) => ({ kind, value, place, ...(isDoubtful && { isDoubtful: true as const }) }))
  })
}

function decode(record: DicomRecord, tag: string): Text {
  const bytes = record.get(tag)
  if (!bytes) return { text: '', isDoubtful: false }
  const characterSet = Buffer.from(record.get(CHARACTER_SET) ?? []).toString('latin1')
  return decodeDicomText(bytes.subarray(0, MAX_TEXT_BYTES), characterSet)
}

const shorten = (text: string, length: number): string => text.slice(0, length).toWellFormed()

function readLine(text: string): string[] {
  return [shorten(normaliseText(text), MAX_VALUE_LENGTH)]
}

/** Other identifiers of a patient, such as the number of a device, are none. */
function readCnps(text: string): string[] {
  return text.split('\\').flatMap((value) => {
    const parsed = parseCnp(normaliseText(value))
    return parsed.ok ? [parsed.cnp] : []
  })
}

/**
 * Returns surname, given name and middle name of `surname^given^middle^prefix^suffix`, without the ideographic
 * and phonetic spellings that follow after `=`.
 */
function readName(text: string): string[] {
  const [letters = ''] = text.split('=')
  return readLine(letters.split('^').slice(0, 3).join(' '))
}

/** Returns a date of `yyyymmdd`, or of `yyyy.mm.dd` as the first edition of the standard wrote it. */
function readDate(text: string): string[] {
  const found = /^(\d{4})(\.?)(\d{2})\2(\d{2})$/.exec(normaliseText(text))
  if (!found) return []
  const day = `${found[1]}-${found[3]}-${found[4]}`
  const date = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) ? [day] : []
}

function readBirthDate(text: string): string[] {
  return readDate(text).filter((day) => findBirthDateError(day, todayInRomania()) === null)
}

function readIdentifier(text: string): string[] {
  return [readUid(Buffer.from(text, 'latin1'))]
}

function findDetails(record: DicomRecord, isBigEndian: boolean): DicomDetails {
  const line = (tag: string) => shorten(normaliseText(decode(record, tag).text), MAX_DETAIL_LENGTH)
  const number = (tag: string) => {
    const bytes = Buffer.from(record.get(tag) ?? [])
    if (bytes.length !== 2) return 0
    return isBigEndian ? bytes.readUInt16BE() : bytes.readUInt16LE()
  }
  const [studyDate = ''] = readDate(decode(record, STUDY_DATE).text)
  const details = {
    modality: line(MODALITY),
    studyDate,
    description: line(DESCRIPTION),
    bodyPart: line(BODY_PART),
    rows: number(ROWS),
    columns: number(COLUMNS),
  }
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== '' && value !== 0))
}
