import { readSheet } from 'read-excel-file/universal'
import { fromFdPromise } from 'yauzl'
import { IMPORT_LIMITS, type ImportProblem } from '../../../../shared/imports/patient-imports.ts'
import type { OpenedFile } from '../../../platform/sandbox/opened-file.ts'
import { ArchiveRejected, walkArchive } from '../../uploads/inspection/content/walk-archive.ts'

/**
 * Calls `onRow` with each row of the first sheet, as texts, until it returns false. Returns why an archive is not read that
 * would harm the computer or is too large; throws for any other file than XLSX.
 */
export async function readSpreadsheet(
  { descriptor }: OpenedFile,
  bytes: Buffer,
  onRow: (cells: string[]) => boolean,
): Promise<ImportProblem | null> {
  const zip = await fromFdPromise(descriptor, { strictFileNames: true, autoClose: false })
  try {
    const { unpacked } = await walkArchive(zip, null)
    if (unpacked > IMPORT_LIMITS.unpackedBytes) return 'too-large'
  } catch (error) {
    if (error instanceof ArchiveRejected) return 'harmful'
    throw error
  }
  const rows = await readSheet(Uint8Array.from(bytes).buffer as never, { parseNumber: writeNumber })
  for (const row of rows) if (!onRow(row.map(writeCell))) break
  return null
}

/** Whole numbers are written with all their digits, which a CNP needs. */
function writeNumber(stored: string): string {
  const value = Number(stored)
  return Number.isSafeInteger(value) ? String(value) : stored
}

function writeCell(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
}
