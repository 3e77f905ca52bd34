import type { ImportOutcome } from '../../../shared/imports/patient-imports.ts'
import type { Ctx, UserCtx } from '../../context.ts'
import { forbidden, invalid, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findPatientsById } from '../patients/many/find-patients.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { canImportPatients } from './imports.access.ts'
import {
  type ImportRow,
  type LineRow,
  selectImport,
  selectImportsOf,
  selectLinesAfter,
  selectOutcomeLines,
} from './imports.db.ts'

/** Rows of the preview. */
const PREVIEW_ROWS = 8

/** Returns an own import. Throws FORBIDDEN, or NOT_FOUND also for that of another person. */
export async function getImport(ctx: UserCtx, id: string, select = selectImport): Promise<ImportRow> {
  if (!canImportPatients(ctx.actor)) throw forbidden('import patients')
  const found = isId(id) ? await select(ctx.db, id) : undefined
  if (found?.created_by !== ctx.actor.id) throw notFound('import')
  return found
}

/** Returns the own imports, the newest first. */
export async function listImports(ctx: UserCtx, args: PageArgs): Promise<Page<ImportRow>> {
  if (!canImportPatients(ctx.actor)) throw forbidden('list imports')
  const page = parsePage(args)
  const rows = await selectImportsOf(ctx.db, ctx.actor.id, page)
  return toPage(rows, page, ({ created_at, id }) => [created_at.toISOString(), id])
}

/** Returns the cells of the first rows, as they were read. */
export const previewRows = async ({ db }: Ctx, { id }: ImportRow): Promise<string[][]> =>
  (await selectLinesAfter(db, id, 0, PREVIEW_ROWS)).map(({ cells }) => cells)

export type ImportLine = LineRow & {
  /** Whom the row is about, as far as the reader may see. */
  patient: PatientRow | null
  /** The import has come to this row. */
  isImported: boolean
  columns: ImportRow['columns']
}

/**
 * Returns rows of an own import, with `outcome` those of one outcome: of the import as soon as it has begun, else of the
 * check. The reading of the patients among them is recorded.
 */
export async function listImportLines(
  ctx: UserCtx,
  { importId, outcome, ...args }: { importId: string; outcome?: ImportOutcome | null | undefined } & PageArgs,
): Promise<Page<ImportLine>> {
  const found = await getImport(ctx, importId)
  const { limit, after } = parsePage(args)
  const line = Number(after?.[1] ?? 0)
  if (!Number.isSafeInteger(line)) throw invalid([{ field: 'after', message: 'Pagina cerută nu există.' }])
  const isImported = hasResults(found)
  const lines = await selectOutcomeLines(ctx.db, found.id, {
    outcome: outcome ?? null,
    of: isImported ? 'result' : 'outcome',
    after: line,
    limit: limit + 1,
  })
  const page = toPage(lines, { limit, after: null }, (row) => ['', String(row.line)])
  const patients = await findPatientsById(
    ctx,
    page.nodes.flatMap(({ patient_id }) => patient_id ?? []),
  )
  if (patients.length > 0)
    await recordAudit(ctx, { action: 'patient.list', subjectIds: patients.map(({ id }) => id) })
  const byId = new Map(patients.map((patient) => [patient.id, patient]))
  const { columns } = found
  return {
    ...page,
    nodes: page.nodes.map((row) => ({
      ...row,
      patient: byId.get(row.patient_id ?? '') ?? null,
      isImported,
      columns,
    })),
  }
}

/** Whether the import has begun, after which the rows say what it did. */
export const hasResults = ({ state }: ImportRow): boolean =>
  state === 'importing' || state === 'stopped' || state === 'done'
