import { gzipSync } from 'node:zlib'
import {
  IMPORT_LIMITS,
  type ImportEncoding,
  type ImportProblem,
} from '../../../../shared/imports/patient-imports.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { findEncoding, readCsv } from './read-csv.ts'

/** `encoding`: the one that a person has chosen. */
export type TableTask = { encoding: ImportEncoding | null }

/**
 * The rows of a table: `lines` has one JSON text `[number, cells]` a line, packed and as base64, since the process sends one
 * message. `encoding` is null for a spreadsheet.
 */
export type ReadTable =
  | { problem: ImportProblem }
  | { problem: null; encoding: ImportEncoding | null; lines: string; rows: number; columns: number }

const ZIP = Buffer.from('PK\x03\x04', 'latin1')
const OLE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const OTHERS = /^(?:%PDF|\x89PNG|\xff\xd8\xff|GIF8|\{\\rtf|\s*<)/

/** Collects rows, numbered as a spreadsheet shows them; empty ones count and are left out. */
class Rows {
  readonly lines: string[] = []
  columns = 0
  problem: ImportProblem | null = null
  private line = 0

  /** Returns false when there are too many. */
  add(cells: readonly string[]): boolean {
    this.line += 1
    const cleaned = cells.map(cleanCell)
    const width = cleaned.findLastIndex((cell) => cell !== '') + 1
    if (width === 0) return true
    if (width > IMPORT_LIMITS.columns) this.problem = 'too-many-columns'
    // One more, for the headings.
    if (this.lines.length > IMPORT_LIMITS.rows) this.problem = 'too-many-rows'
    this.columns = Math.max(this.columns, width)
    this.lines.push(JSON.stringify([this.line, cleaned.slice(0, width)]))
    return this.problem === null
  }
}

/** The database stores no NUL and no half of a letter. */
const cleanCell = (cell: string): string =>
  cell.slice(0, IMPORT_LIMITS.cell).replaceAll('\0', '').toWellFormed().trim()

/** Reads an untrusted table of people, CSV or XLSX by its content. It may take long or never return: call it in the sandbox. */
export async function readTable({ encoding }: TableTask, file: OpenedFile): Promise<ReadTable> {
  const bytes = await file.read(0, file.size)
  if (bytes.subarray(0, OLE.length).equals(OLE)) return { problem: 'old-excel' }
  const rows = new Rows()
  const isSheet = bytes.subarray(0, ZIP.length).equals(ZIP)
  const used = isSheet ? null : (encoding ?? findEncoding(bytes))
  try {
    if (isSheet) {
      const { readSpreadsheet } = await import('./read-spreadsheet.ts')
      const harm = await readSpreadsheet(file, bytes, (cells) => rows.add(cells))
      if (harm) return { problem: harm }
    } else if (used !== null) {
      if (isOther(bytes, used)) return { problem: 'type' }
      readCsv(bytes, used, (cells) => rows.add(cells))
    }
  } catch {
    return { problem: 'damaged' }
  }
  const { problem, lines, columns } = rows
  if (problem) return { problem }
  if (lines.length === 0) return { problem: 'empty' }
  const packed = gzipSync(lines.join('\n')).toString('base64')
  return { problem: null, encoding: used, lines: packed, rows: lines.length, columns }
}

/** Whether the bytes are certainly no text of this encoding. */
const isOther = (bytes: Buffer, encoding: ImportEncoding): boolean =>
  OTHERS.test(bytes.toString('latin1', 0, 16)) || (encoding !== 'utf-16le' && bytes.includes(0))
