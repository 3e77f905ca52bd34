import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type ImportField,
  type ImportOutcome,
  type RowChanges,
  type RowProblem,
  RUNNING_IMPORT_STATES,
} from '../../../shared/imports/patient-imports.ts'
import type { Db } from '../../platform/database/database.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'

const imports = (db: Db) =>
  db
    .selectFrom('patient_import')
    .leftJoin('institution', 'institution.id', 'patient_import.institution_id')
    .selectAll('patient_import')
    .select(['institution.name as institution_name', 'institution.suspended_at as institution_suspended_at'])

export type ImportRow = NonNullable<Awaited<ReturnType<typeof selectImport>>>

export const selectImport = (db: Db, id: string) =>
  imports(db).where('patient_import.id', '=', id).executeTakeFirst()

export const selectImportsOf = (db: Db, authorId: string, page: PageRequest) =>
  keyset(
    imports(db).where('patient_import.created_by', '=', authorId),
    {
      by: { 'patient_import.created_at': 'timestamptz', 'patient_import.id': 'uuid' },
      direction: 'desc',
    },
    page,
  ).execute()

export async function countImportsOf(db: Db, authorId: string): Promise<number> {
  const { count } = await db
    .selectFrom('patient_import')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('created_by', '=', authorId)
    .executeTakeFirstOrThrow()
  return count
}

export async function lockImport(db: Db, id: string): Promise<ImportRow | undefined> {
  await db.selectFrom('patient_import').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return selectImport(db, id)
}

export const insertImport = (
  db: Db,
  row: { id: string; created_by: string; file_name: string; storage_key: string },
) =>
  db
    .insertInto('patient_import')
    .values({ ...row, state: 'reading' })
    .execute()

export type ImportChange = Partial<
  Pick<
    ImportRow,
    | 'state'
    | 'problem'
    | 'encoding'
    | 'headings'
    | 'column_count'
    | 'columns'
    | 'institution_id'
    | 'overwrites'
    | 'row_count'
    | 'checked_line'
    | 'imported_line'
    | 'checked'
    | 'imported'
    | 'ended_at'
    | 'version'
  >
>

export const updateImport = (db: Db, id: string, change: ImportChange) =>
  db.updateTable('patient_import').set(change).where('id', '=', id).execute()

/** Deletes an import with its rows. */
export const deleteImport = (db: Db, id: string) =>
  db.deleteFrom('patient_import').where('id', '=', id).execute()

export const deleteRows = (db: Db, id: string) =>
  db.deleteFrom('patient_import_row').where('import_id', '=', id).execute()

const hashOf = (headings: readonly string[]) => sql<string>`md5(${JSON.stringify(headings)})`

/** Returns the columns that a person chose last for a file with these headings. */
export const selectChosenColumns = (db: Db, headings: readonly string[]) =>
  db
    .selectFrom('patient_import_columns')
    .select('columns')
    .where('headings_hash', '=', hashOf(headings))
    .executeTakeFirst()

export const upsertChosenColumns = (db: Db, headings: readonly string[], columns: (ImportField | null)[]) =>
  db
    .insertInto('patient_import_columns')
    .values({ headings_hash: hashOf(headings), columns })
    .onConflict((on) => on.column('headings_hash').doUpdateSet({ columns }))
    .execute()

/** Imports that a job works on. */
export const selectRunningImports = (db: Db) =>
  db
    .selectFrom('patient_import')
    .select(['id', 'created_by'])
    .where('state', 'in', RUNNING_IMPORT_STATES)
    .limit(1_000)
    .execute()

export const selectImportsBefore = (db: Db, time: Date, limit: number) =>
  db
    .selectFrom('patient_import')
    .select(['id', 'storage_key'])
    .where('created_at', '<', time)
    .where('state', 'not in', RUNNING_IMPORT_STATES)
    .limit(limit)
    .execute()

export type TableLine = readonly [line: number, cells: readonly string[]]

export const insertLines = (db: Db, importId: string, lines: readonly TableLine[]) =>
  sql`insert into patient_import_row (import_id, line, cells)
    select ${importId}, (entry->>0)::int, entry->1 from json_array_elements(${JSON.stringify(lines)}::json) entry`.execute(
    db,
  )

/** The outcome of the check, or of the import. */
export type RowOutcome = {
  line: number
  outcome: ImportOutcome
  problems: readonly RowProblem[] | null
  changes: RowChanges | null
  patient_id: string | null
  same_line: number | null
} & { [Key in keyof PersonKey]: PersonKey[Key] | null }
export type RowResult = {
  line: number
  result: ImportOutcome
  result_problems: readonly RowProblem[] | null
  patient_id: string | null
}

export const updateOutcomes = (db: Db, importId: string, rows: readonly RowOutcome[]) =>
  sql`update patient_import_row as stored set outcome = new.outcome, problems = new.problems, changes = new.changes,
      patient_id = new.patient_id, same_line = new.same_line, cnp = new.cnp, name_words = new.name_words,
      birth_date = new.birth_date, allowed = false, result = null, result_problems = null
    from json_to_recordset(${JSON.stringify(rows)}::json) as new(line int, outcome text, problems json, changes json,
      patient_id uuid, same_line int, cnp text, name_words text, birth_date date)
    where stored.import_id = ${importId} and stored.line = new.line`.execute(db)

export const updateResults = (db: Db, importId: string, rows: readonly RowResult[]) =>
  sql`update patient_import_row as stored set result = new.result, result_problems = new.result_problems,
      patient_id = new.patient_id
    from json_to_recordset(${JSON.stringify(rows)}::json) as new(line int, result text, result_problems json,
      patient_id uuid)
    where stored.import_id = ${importId} and stored.line = new.line`.execute(db)

const rows = (db: Db, importId: string) =>
  db.selectFrom('patient_import_row').selectAll().where('import_id', '=', importId)

export type LineRow = Awaited<ReturnType<typeof selectLinesAfter>>[number]

export const selectLinesAfter = (db: Db, importId: string, line: number, limit: number) =>
  rows(db, importId).where('line', '>', line).orderBy('line').limit(limit).execute()

/** Returns rows of one outcome, of the import if it has begun, by their lines. */
export const selectOutcomeLines = (
  db: Db,
  importId: string,
  {
    outcome,
    of,
    after,
    limit,
  }: { outcome: ImportOutcome | null; of: 'outcome' | 'result'; after: number; limit: number },
) =>
  rows(db, importId)
    .$if(outcome !== null, (query) => query.where(of, '=', outcome!))
    .where('line', '>', after)
    .orderBy('line')
    .limit(limit)
    .execute()

/** What a row is compared with earlier ones by. */
export type PersonKey = { cnp: string | null; name_words: string; birth_date: string | null }

/**
 * Earlier rows that are not refused, with one of these CNPs, or one of these names and no other birth date. `offset 0` keeps
 * the planner from reading all earlier rows for a join: each condition is a range of an index.
 */
export const selectEarlierRows = async (
  db: Db,
  importId: string,
  before: number,
  keys: readonly PersonKey[],
) => {
  const having = (condition: RawBuilder<SqlBool>) => sql`
    select earlier.line from key cross join lateral (
      select line from patient_import_row as stored
      where import_id = ${importId} and line < ${before} and ${condition} offset 0) earlier`
  const { rows: found } = await sql<{ line: number; cells: string[] }>`
    with key as materialized (
      select * from json_to_recordset(${JSON.stringify(keys)}::json)
        as key(cnp text, name_words text, birth_date date)
    ), found as (
      ${having(sql`stored.cnp = key.cnp`)}
      union
      ${having(sql`stored.name_words = key.name_words and stored.birth_date = key.birth_date`)}
      union
      ${having(sql`stored.name_words = key.name_words and stored.birth_date is null`)}
      union
      ${having(sql`stored.name_words = key.name_words and key.birth_date is null`)}
    )
    select found.line, stored.cells from found cross join lateral (
      select cells from patient_import_row
      where import_id = ${importId} and line = found.line offset 0) stored
    order by line`.execute(db)
  return found
}

/** Allows possible duplicates to be created, or no longer; returns how many rows it changed. */
export const updateAllowed = async (db: Db, importId: string, lines: readonly number[], allowed: boolean) => {
  const { numUpdatedRows } = await db
    .updateTable('patient_import_row')
    .set({ allowed })
    .where('import_id', '=', importId)
    .where('outcome', '=', 'duplicate')
    .where(sql<SqlBool>`line = any(${lines}::int[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Which of these patients this import has created or changed. */
export const selectWritten = (db: Db, importId: string, patientIds: readonly string[]) =>
  db
    .selectFrom('patient_import_row')
    .select('patient_id')
    .where('import_id', '=', importId)
    .where('result', 'in', ['created', 'updated'])
    .where(sql<SqlBool>`patient_id = any(${patientIds}::uuid[])`)
    .execute()
