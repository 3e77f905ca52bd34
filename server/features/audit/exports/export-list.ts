import { z } from 'zod'
import type { AuditAction } from '../../../../shared/audit/audit-actions.ts'
import { CSV_START, writeCsvRecord } from '../../../../shared/csv/csv.ts'
import { EXPORT_ROWS } from '../../../../shared/csv/csv-exports.ts'
import type { UserCtx } from '../../../context.ts'
import { requireFreshProof } from '../../../fresh-proof.ts'
import { readSearch } from '../../../graphql/connections.ts'
import type { PageRequest } from '../../../platform/keyset.ts'
import { parseInput } from '../../../validation.ts'
import { maskText } from '../mask-changes.ts'
import { type AuditEntry, recordAudit } from '../record-audit.ts'

/** For a filter that the route cannot read. */
export const UNKNOWN_FILTER = 'Filtrul nu are o valoare cunoscută.'

const searchSchema = z.strictObject(
  { search: z.string({ error: UNKNOWN_FILTER }).nullish() },
  { error: UNKNOWN_FILTER },
)

/** Returns the text that the list is searched by, '' for the whole list. Throws BAD_USER_INPUT for another filter. */
export const readSearchFilter = (input: unknown): string => readSearch(parseInput(searchSchema, input).search)

/** Rows fetched per query. */
const BATCH_SIZE = 1_000

/** `is_cut`: the list has not all rows, as its screen says. */
type ExportedRow = { id: string; is_cut?: boolean }

/** A list as its screen reads it; the caller has checked that the actor may read it. */
export type ExportedList<Row> = {
  action: AuditAction
  /** How the reading of one page of the list is recorded. */
  readAction: AuditAction
  /** The filter by kind, without names. */
  filter: AuditEntry['changes']
  headings: readonly string[]
  /** Returns a page, and one row more if there are more. */
  select: (page: PageRequest) => Promise<Row[]>
  keysOf: (row: Row) => [string, string]
  describe: (row: Row) => readonly string[]
}

export type CsvExport = { chunks: AsyncGenerator<Uint8Array>; isCut: boolean }

/**
 * Returns a list as a CSV file, at most EXPORT_ROWS rows (`isCut`: there are more). The export is recorded with its number of
 * rows before any data is returned, and each part with its ids before it is sent.
 */
export async function exportList<Row extends ExportedRow>(
  ctx: UserCtx,
  list: ExportedList<Row>,
): Promise<CsvExport> {
  requireFreshProof(ctx)
  let found = 0
  let isCut = false
  for await (const part of readParts(list, EXPORT_ROWS + 1)) {
    found += part.length
    isCut ||= part.some(({ is_cut }) => is_cut)
  }
  const rows = Math.min(found, EXPORT_ROWS)
  await recordAudit(ctx, { action: list.action, changes: { ...list.filter, rows: { to: rows } } })
  return { chunks: writeChunks(ctx, list, rows), isCut: isCut || found > rows }
}

async function* readParts<Row>({ select, keysOf }: ExportedList<Row>, rows: number): AsyncGenerator<Row[]> {
  let after: [string, string] | null = null
  for (let left = rows; left > 0; ) {
    const limit = Math.min(left, BATCH_SIZE)
    const found: Row[] = await select({ limit, after })
    const part = found.slice(0, limit)
    if (part.length > 0) yield part
    if (found.length <= limit) return
    after = keysOf(part.at(-1)!)
    left -= part.length
  }
}

async function* writeChunks<Row extends ExportedRow>(ctx: UserCtx, list: ExportedList<Row>, rows: number) {
  yield Buffer.from(CSV_START + writeCsvRecord(list.headings))
  for await (const part of readParts(list, rows)) {
    await recordAudit(ctx, { action: list.readAction, subjectIds: part.map(({ id }) => id) })
    // People write CNPs in other fields too, and the file leaves the product's access control.
    yield Buffer.from(part.map((row) => writeCsvRecord(list.describe(row).map(maskText))).join(''))
  }
}
