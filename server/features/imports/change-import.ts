import {
  IMPORT_ENCODINGS,
  IMPORT_FIELD_NAMES,
  IMPORT_FIELDS,
  IMPORT_LIMITS,
  type ImportEncoding,
  type ImportField,
  type ImportState,
  isRunningImport,
} from '../../../shared/imports/patient-imports.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { conflict, invalid, invalidState } from '../../errors.ts'
import { allowLongStatements } from '../../platform/database/database.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getOpenInstitution } from '../institutions/get-institution.ts'
import { getImport } from './find-import.ts'
import {
  deleteImport,
  type ImportChange,
  type ImportRow,
  lockImport,
  updateAllowed,
  updateImport,
  upsertChosenColumns,
} from './imports.db.ts'
import { hasRequiredFields } from './read-row.ts'

type Named = { id: string; version: number }

/** Reads the text of an own import again, in another encoding. */
export function rereadImport(
  ctx: UserCtx,
  { encoding, ...named }: Named & { encoding: ImportEncoding },
): Promise<ImportRow> {
  return change(ctx, named, ['read', 'checked', 'unreadable'], async (tx, found) => {
    if (found.encoding === null && found.state !== 'unreadable')
      throw invalid([{ field: 'encoding', message: 'Un registru Excel nu are codificare de ales.' }])
    if (!IMPORT_ENCODINGS.includes(encoding))
      throw invalid([{ field: 'encoding', message: 'Codificarea nu este cunoscută.' }])
    await enqueue(tx, found.id)
    return { state: 'reading', encoding, problem: null }
  })
}

type Terms = {
  columns: readonly (string | null)[]
  institutionId?: string | null | undefined
  overwrites: boolean
}

/** Has every row of an own import checked with these columns, which are remembered for the same headings. */
export function checkImport(ctx: UserCtx, { id, version, ...terms }: Named & Terms): Promise<ImportRow> {
  return change(ctx, { id, version }, ['read', 'checked'], async (tx, found) => {
    const columns = readColumns(found, terms.columns)
    const institution = terms.institutionId ? await getOpenInstitution(tx, terms.institutionId) : null
    if (found.headings.length > 0) await upsertChosenColumns(tx.db, found.headings, columns)
    await enqueue(tx, id)
    return {
      state: 'checking',
      columns,
      institution_id: institution?.id ?? null,
      overwrites: terms.overwrites,
      checked_line: 0,
      checked: {},
    }
  })
}

function readColumns(found: ImportRow, columns: Terms['columns']): (ImportField | null)[] {
  const fail = (message: string) => invalid([{ field: 'columns', message }])
  if (columns.length !== found.column_count) throw fail('Coloanele nu sunt cele ale fișierului.')
  const fields = columns.flatMap((field) => field ?? [])
  const unknown = fields.find((field) => !(IMPORT_FIELDS as readonly string[]).includes(field))
  if (unknown !== undefined) throw fail('O coloană are un câmp necunoscut.')
  const twice = fields.find((field, place) => fields.indexOf(field) < place) as ImportField | undefined
  if (twice) throw fail(`Două coloane au câmpul „${IMPORT_FIELD_NAMES[twice]}”: păstrează una.`)
  const read = columns as (ImportField | null)[]
  if (!hasRequiredFields(read)) throw fail('Alege coloanele pentru nume și prenume.')
  return read
}

/** Allows possible duplicates of an own import to be created as other people, or no longer. */
export async function allowImportLines(
  ctx: UserCtx,
  { id, lines, allowed }: { id: string; lines: readonly number[]; allowed: boolean },
): Promise<ImportRow> {
  if (lines.length > IMPORT_LIMITS.allowedRows)
    throw invalid([{ field: 'lines', message: `Cel mult ${IMPORT_LIMITS.allowedRows} de rânduri odată.` }])
  return inTransaction(ctx, async (tx) => {
    const found = await getImport(tx, id, lockImport)
    requireState(found, ['checked'])
    await updateAllowed(tx.db, id, lines, allowed)
    return found
  })
}

/** Imports the rows of an own import as they were checked; one that was stopped goes on. */
export function startImport(ctx: UserCtx, named: Named): Promise<ImportRow> {
  return change(ctx, named, ['checked', 'stopped'], async (tx, { id, institution_id, row_count }) => {
    if (institution_id) await getOpenInstitution(tx, institution_id)
    await enqueue(tx, id)
    const subject = { type: 'import', id }
    await recordAudit(tx, { action: 'import.start', subject, changes: { rows: { to: row_count } } })
    return { state: 'importing' }
  })
}

/** Stops the check or the import of an own file after the running batch; what is imported stays. */
export async function stopImport(ctx: UserCtx, { id }: { id: string }): Promise<ImportRow> {
  return inTransaction(ctx, async (tx) => {
    const found = await getImport(tx, id, lockImport)
    if (found.state === 'checking') return save(tx, found, { state: 'read' })
    if (found.state !== 'importing') return found
    await recordAudit(tx, { action: 'import.stop', subject: { type: 'import', id } })
    return save(tx, found, { state: 'stopped' })
  })
}

/** Deletes an own import with its rows, then its file; patients that it has created stay. */
export async function removeImport(ctx: UserCtx, { id }: { id: string }): Promise<string> {
  const { storage_key } = await inTransaction(ctx, async (tx) => {
    const found = await getImport(tx, id, lockImport)
    if (isRunningImport(found.state) && found.state !== 'reading')
      throw invalidState('import is running', 'Importul lucrează încă. Oprește-l mai întâi.')
    await allowLongStatements(tx.db)
    await deleteImport(tx.db, id)
    await recordAudit(tx, { action: 'import.remove', subject: { type: 'import', id } })
    return found
  })
  await ctx.services.storage.remove(storage_key)
  return id
}

const enqueue = (tx: UserCtx, importId: string) =>
  tx.services.jobs.enqueue(tx.db, 'import-patients', { importId, authorId: tx.actor.id })

function requireState({ state }: ImportRow, states: readonly ImportState[]): void {
  if (!states.includes(state))
    throw invalidState(`import is ${state}`, 'Importul nu mai este în acest pas. Reîncarcă pagina.')
}

function change(
  ctx: UserCtx,
  { id, version }: Named,
  states: readonly ImportState[],
  work: (tx: UserCtx, found: ImportRow) => Promise<ImportChange>,
): Promise<ImportRow> {
  return inTransaction(ctx, async (tx) => {
    const found = await getImport(tx, id, lockImport)
    if (found.version !== version) throw conflict('import')
    requireState(found, states)
    return save(tx, found, await work(tx, found))
  })
}

async function save(tx: UserCtx, { id, version }: ImportRow, values: ImportChange): Promise<ImportRow> {
  await updateImport(tx.db, id, { ...values, version: version + 1 })
  return getImport(tx, id)
}
