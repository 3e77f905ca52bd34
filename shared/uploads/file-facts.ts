/**
 * What a file says of its patient and its examination. `value` is normalised: a CNP has 13 digits, a date is yyyy-mm-dd,
 * a name has its surname first where the file says which part is which, and letters have a comma below, not a cedilla.
 */
export const FACT_KINDS = [
  'cnp',
  'name',
  'birth-date',
  /** The number that the organisation gave to the examination. */
  'accession',
  'examined-on',
  'doctor',
  'institution',
  /** DICOM: the SOP Instance UID, by which two copies of one image are equal. */
  'instance',
  /** DICOM: the Series Instance UID, by which copies of many images are equal. */
  'series',
] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** Where a fact was found. Facts with the same `entry` are of the same document. */
export type FactPlace = {
  /** `sender`: the integration that has sent the file states it. */
  in: 'text' | 'tag' | 'code' | 'file-name' | 'sender'
  /** The name of the entry in an archive; absent for the file itself. */
  entry?: string
  /** The page of a PDF, or of a scan, from 1. */
  page?: number
  /** Left, top, width, height as parts of the page, from its top left corner. */
  box?: readonly [number, number, number, number]
  /** The line of a text or of a table in it, the paragraph of a document; from 1. */
  line?: number
  /** A cell of a workbook, such as `Foaie1!B7`. */
  cell?: string
  /** A DICOM tag, such as `0010,0020`. */
  tag?: string
}

/** `isDoubtful`: read with a guess, such as a character set that the file does not name; it proves nothing. */
export type FileFact = { kind: FactKind; value: string; place: FactPlace; isDoubtful?: true }

/** Facts kept of one file; of more, those about people are kept first. */
export const MAX_FACTS = 300
