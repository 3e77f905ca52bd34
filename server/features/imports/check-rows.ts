import type { Ctx } from '../../context.ts'
import { findPatientsByCnps } from '../patients/many/find-patients.ts'
import {
  type ImportRow,
  type LineRow,
  type PersonKey,
  type RowOutcome,
  selectEarlierRows,
} from './imports.db.ts'
import { type Judgement, judgeByPatients, judgeRepeated, nameWords, refuse } from './judge-rows.ts'
import { type PatientValues, readRow } from './read-row.ts'

type Valid = { line: number; values: PatientValues; words: string }

/** Says of each row what the import would do with it, and writes nothing. The rows are consecutive ones of the file. */
export async function checkRows(
  ctx: Ctx,
  found: ImportRow,
  lines: readonly LineRow[],
): Promise<RowOutcome[]> {
  const judged = new Map<number, Judgement>()
  const valid: Valid[] = []
  for (const { line, cells } of lines) {
    const { values, problems } = readRow(cells, found.columns)
    if (problems) judged.set(line, refuse(problems))
    else valid.push({ line, values, words: nameWords(values) })
  }
  const cnps = cnpsOf(valid)
  const known = await findPatientsByCnps(ctx, cnps)
  for (const [line, judgement] of await judgeByPatients(ctx, found, valid, known)) judged.set(line, judgement)
  const earlier = await readEarlier(ctx, found, valid)
  for (const row of valid) {
    // A row that is refused is no obstacle to a later one, and stays refused itself.
    if (judged.get(row.line)!.outcome === 'refused') continue
    const repeated = earlier.find(row, judged.get(row.line)!.outcome === 'created')
    if (repeated) judged.set(row.line, repeated)
    if (repeated?.outcome !== 'refused') earlier.add(row)
  }
  const keys = new Map(valid.map((row) => [row.line, keyOf(row)]))
  return lines.map(({ line }) => {
    const judgement = judged.get(line)!
    const key = judgement.outcome === 'refused' ? NO_KEY : keys.get(line)!
    return { line, ...key, ...judgement }
  })
}

const NO_KEY = { cnp: null, name_words: null, birth_date: null } as const
const keyOf = ({ values: { cnp, birth_date }, words }: Valid): PersonKey => ({
  cnp,
  name_words: words,
  birth_date,
})

export const cnpsOf = (rows: readonly { values: PatientValues }[]): string[] =>
  rows.flatMap(({ values }) => values.cnp ?? [])

/** Returns the rows that come before each row, by CNP and by name; the first one of each person counts. */
async function readEarlier({ db }: Ctx, { id, columns }: ImportRow, rows: readonly Valid[]) {
  const byCnp = new Map<string, Valid>()
  const byWords = new Map<string, Valid[]>()
  const add = (row: Valid) => {
    const { cnp } = row.values
    if (cnp !== null && !byCnp.has(cnp)) byCnp.set(cnp, row)
    byWords.set(row.words, [...(byWords.get(row.words) ?? []), row])
  }
  const [first] = rows
  if (first) {
    for (const { line, cells } of await selectEarlierRows(db, id, first.line, rows.map(keyOf))) {
      const { values } = readRow(cells, columns)
      if (values) add({ line, values, words: nameWords(values) })
    }
  }
  /** `byName`: nothing else says who it is. */
  const find = (row: Valid, byName: boolean): Judgement | null => {
    const sameCnp = row.values.cnp === null ? undefined : byCnp.get(row.values.cnp)
    if (sameCnp) return judgeRepeated(row.values, sameCnp)
    if (!byName) return null
    for (const other of byWords.get(row.words) ?? []) {
      const judgement = judgeRepeated(row.values, other)
      if (judgement) return judgement
    }
    return null
  }
  return { add, find }
}
