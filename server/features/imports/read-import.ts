import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { SandboxFailure } from '../../platform/sandbox/sandbox.ts'
import {
  deleteRows,
  type ImportRow,
  insertLines,
  lockImport,
  selectChosenColumns,
  selectImport,
  type TableLine,
  updateImport,
} from './imports.db.ts'
import { isPerson, matchColumns } from './match-columns.ts'
import type { ReadTable, TableTask } from './reading/read-table.ts'

const WORKER = new URL('./reading/read-table-worker.ts', import.meta.url)
/** Seconds of processor time; a spreadsheet of 100,000 rows takes about ten. */
const SECONDS = 90
const BATCH_LINES = 1_000
/** Rows whose values show what a column has. */
const SAMPLE_LINES = 50

/**
 * Reads the file of an import in a sandbox process and stores its rows, so that CSV and XLSX are the same from then on, and
 * matches its columns as a person has chosen them last for the same headings.
 */
export async function readImport(ctx: Ctx<SystemActor>, { id, ...found }: ImportRow): Promise<void> {
  const read = await readFile(ctx, found).catch(async (error: unknown) => {
    // Its author has removed it meanwhile, with its file.
    if (await selectImport(ctx.db, id)) throw error
    return null
  })
  if (!read) return
  await inTransaction(ctx, async (tx) => {
    const locked = await lockImport(tx.db, id)
    if (locked?.state !== 'reading' || locked.version !== found.version) return
    await deleteRows(tx.db, id)
    if (read.problem !== null) {
      await updateImport(tx.db, id, { state: 'unreadable', problem: read.problem })
      return
    }
    const { first, sample, rows } = await storeLines(tx, id, read.lines)
    const chosen = first ? await selectChosenColumns(tx.db, first) : undefined
    const columns = chosen?.columns ?? matchColumns(first ?? [], sample, read.columns)
    await updateImport(tx.db, id, {
      state: rows === 0 ? 'unreadable' : 'read',
      problem: rows === 0 ? 'empty' : null,
      encoding: read.encoding,
      headings: [...(first ?? [])],
      column_count: read.columns,
      columns: Array.from({ length: read.columns }, (_, place) => columns[place] ?? null),
      row_count: rows,
    })
  })
}

async function readFile(
  { services: { storage, lanes, sandbox } }: Ctx<SystemActor>,
  { created_by, storage_key, encoding }: Omit<ImportRow, 'id'>,
): Promise<ReadTable> {
  const file = await storage.open(storage_key)
  const limits = { seconds: SECONDS, memory: lanes.memory }
  try {
    return await lanes.run(created_by, (turn) =>
      sandbox.run<TableTask, ReadTable>(WORKER, { encoding }, { limits, file, ...turn }),
    )
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    return { problem: 'too-long' }
  } finally {
    await file.close()
  }
}

/** Stores the rows but the headings; `first` is null if the first row is a person. */
async function storeLines({ db }: Ctx, importId: string, packed: string) {
  const unpacked = Readable.from([Buffer.from(packed, 'base64')]).pipe(createGunzip())
  const sample: (readonly string[])[] = []
  let first: readonly string[] | null = null
  let rows = 0
  let batch: TableLine[] = []
  const store = async () => {
    if (batch.length > 0) await insertLines(db, importId, batch)
    rows += batch.length
    batch = []
  }
  let isFirst = true
  for await (const text of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text) as TableLine
    if (isFirst && !isPerson(line[1])) first = line[1]
    else {
      if (sample.length < SAMPLE_LINES) sample.push(line[1])
      batch.push(line)
    }
    isFirst = false
    if (batch.length === BATCH_LINES) await store()
  }
  await store()
  return { first, sample, rows }
}
