import type { FileFact } from '../../../../shared/uploads/file-facts.ts'
import { type Finding, isActive } from '../../../../shared/uploads/file-findings.ts'
import type { FileRejection } from '../../../../shared/uploads/file-rejections.ts'
import type { FileKind } from '../../../../shared/uploads/files.ts'
import type { FoundCnps } from './found-cnps.ts'

/** A larger image is rejected, and none is drawn. */
export const MAX_IMAGE_PIXELS = 100_000_000

/** What a DICOM file shows, or the DICOM files of an archive: then the first of them, and their number. */
export type DicomDetails = {
  /** Codes such as CT or US; several of an archive are separated by a comma. */
  modality?: string
  /** yyyy-mm-dd. */
  studyDate?: string
  description?: string
  bodyPart?: string
  /** Pixels of an image. */
  rows?: number
  columns?: number
  /** Of an archive. */
  images?: number
  series?: number
}

/** Details read from a file, as the screens show them. */
export type FileDetails = {
  /** Why the file was rejected. */
  reason?: FileRejection
  /** What the reviewer has to know of the content; at most MAX_FINDINGS. */
  findings?: readonly Finding[]
  /** The name that the malware scanner gave to what it found. */
  signature?: string
  /** The scanner has read only the beginning of the file. */
  scan?: 'incomplete'
  /** Why nobody can compare the content with the patient here. */
  unreadable?: 'locked' | 'damaged' | 'too-large' | 'entries'
  /** It has no text, or a page of it has none: only a person can compare it. */
  noText?: true
  /** The first pages of a PDF without text; at most MAX_PAGES_NAMED. */
  pagesWithoutText?: number[]
  /** The text was read only as far as the limits allow; further facts are unknown. */
  reading?: 'incomplete'
  /** It says more of people than is kept. */
  factsCut?: true
  /**
   * The whole file was read as text, on every page of a PDF, which show nothing else, and each label of the person in it has
   * a value that could be read.
   */
  wholeText?: true
  /** Pixels of an image. */
  width?: number
  height?: number
  /** Of an archive: the number of files, the first names, and the bytes when unpacked. */
  entries?: number
  names?: string[]
  unpacked?: number
  dicom?: DicomDetails
  /** Entries of an archive that could not be read, or say nothing; with the first names. */
  unreadEntries?: { count: number; names: readonly string[] }
}

export type Inspection =
  | {
      accepted: true
      kind: FileKind
      type: string
      pageCount: number | null
      text: string | null
      /** Absent if there is no text. */
      cnps?: FoundCnps
      facts: FileDetails
      /** What the file says of its patient and its examination. */
      stated: readonly FileFact[]
      /** Whether a malware scanner has read the whole file. */
      isScanned?: boolean
    }
  | { accepted: false; facts: FileDetails & { reason: FileRejection } }

export const rejectFile = (reason: FileRejection, details: Omit<FileDetails, 'reason'> = {}): Inspection => ({
  accepted: false,
  facts: { ...details, reason },
})

const MAX_FINDINGS = 20
export const MAX_PAGES_NAMED = 20

/** Returns the details of an accepted file with what was found in it, each kind of finding once per place. */
export function withFindings(facts: FileDetails, findings: readonly Finding[]): FileDetails {
  const distinct = [...new Map(findings.map((each) => [`${each.kind} ${each.where}`, each])).values()]
  // Those that the site may forbid first, so that others do not crowd them out.
  const ordered = distinct.toSorted((a, b) => Number(isActive(b)) - Number(isActive(a)))
  return ordered.length > 0 ? { ...facts, findings: ordered.slice(0, MAX_FINDINGS) } : facts
}
