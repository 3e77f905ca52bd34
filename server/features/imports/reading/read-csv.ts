import { parse } from 'csv-parse/sync'
import { readCsvField } from '../../../../shared/csv/csv.ts'
import type { ImportEncoding } from '../../../../shared/imports/patient-imports.ts'

/** Byte order marks by encoding. */
const MARKS: readonly (readonly [ImportEncoding, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
]
const SEPARATORS = [';', ',', '\t'] as const
/** Records from which the separator is found. */
const SAMPLE_RECORDS = 20
/** Characters of the beginning of a text that has them. */
const SAMPLE_LENGTH = 64 * 1024
/** Characters of one record; a quote that is never closed takes the rest of the file. */
const MAX_RECORD_LENGTH = 200_000

/** Returns the encoding that a byte order mark names; else UTF-8 if the text is valid, else windows-1250. */
export function findEncoding(bytes: Buffer): ImportEncoding {
  const marked = MARKS.find(([, mark]) => mark.every((byte, place) => bytes[place] === byte))
  if (marked) return marked[0]
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1250'
  }
}

/** Calls `onRecord` with each record of the text, empty ones too, until it returns false. Throws where a quote has no end. */
export function readCsv(
  bytes: Buffer,
  encoding: ImportEncoding,
  onRecord: (cells: string[]) => boolean,
): void {
  const whole = new TextDecoder(encoding).decode(bytes)
  // Excel reads the separator from such a first line.
  const stated = /^"?sep=([;,\t])"?\r?\n/i.exec(whole)
  const text = stated ? whole.slice(stated[0].length) : whole
  let isDone = false
  parse(text, {
    ...OPTIONS,
    delimiter: stated?.[1] ?? findSeparator(text),
    onRecord: (record: string[]) => {
      if (!isDone) isDone = !onRecord(record.map(readCsvField))
      return null
    },
  } as object)
}

const OPTIONS = {
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: MAX_RECORD_LENGTH,
} as const

/** Returns the separator with which most of the first records have as many cells as the first one. */
function findSeparator(text: string): string {
  const lines = text.slice(0, SAMPLE_LENGTH)
  const scores = SEPARATORS.map((separator) => {
    const records = readSample(lines, separator)
    const width = records[0]?.length ?? 0
    const equal = records.filter(({ length }) => length === width).length
    return { separator, score: width < 2 ? 0 : width * (equal / records.length) }
  })
  return scores.toSorted((a, b) => b.score - a.score)[0]!.separator
}

function readSample(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { ...OPTIONS, delimiter, to: SAMPLE_RECORDS, relax_quotes: true }) as string[][]
  } catch {
    return []
  }
}
