import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import { hasName, hasWord, selectPatientIdsByName } from '../../patients/patient-names.sql.ts'
import type { Days } from '../../patients/search/read-query.ts'
import { MAX_DIGITS, numbersBeginningWith } from '../upload-numbers.ts'
import type { UploadScope } from '../uploads.access.ts'
import type { ExaminationWord, NameWords, NumberWord, UploadSearch } from './upload-search.ts'

/**
 * Matching patients or uploads collected in advance; with more matches, the list is filtered row by row
 * instead.
 */
export const MAX_CANDIDATES = 2_000

/** Returns the ids, each once; null if there are too many. */
export const collected = (ids: readonly string[]): string[] | null =>
  ids.length > MAX_CANDIDATES ? null : [...new Set(ids)]

/** Returns the ids of the patients with such names, without a scope; null if there are too many. */
export const selectPatientIdsNamed = (db: Db, spellings: readonly (readonly string[])[]) =>
  selectPatientIdsByName(db, spellings, MAX_CANDIDATES)

/** Whether the number is in one of the ranges, both ends included. */
const isNumberAmong = (ranges: readonly (readonly [number, number])[]) =>
  sql<SqlBool>`(${sql.join(
    [sql`false`, ...ranges.map(([from, to]) => sql`upload.number between ${from}::bigint and ${to}::bigint`)],
    sql` or `,
  )})`

/** Returns the ids of the uploads whose number begins with the digits, without a scope; null if there are too many. */
export async function selectNumberedIds(db: Db, digits: string): Promise<string[] | null> {
  const rows = await db
    .selectFrom('upload')
    .select('id')
    .where(isNumberAmong(numbersBeginningWith(digits, MAX_DIGITS)))
    .limit(MAX_CANDIDATES + 1)
    .execute()
  return collected(rows.map(({ id }) => id))
}

const UPLOAD_WORDS = sql`upload_words(upload.title, upload.referring_doctor)`
const ACCESSION_CODE = sql`accession_code(upload.accession_number) collate "C"`

/** Words of a–z and 0–9 as a query of texts that have, for each, a word that begins with it. */
const beginnings = (words: readonly string[]): string => words.map((word) => `${word}:*`).join(' & ')

/** For an institution's user only the results of the institution are searched, by a function of the database. */
const selectReleasedIds = async (db: Db, wanted: string | null, code: string | null): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select id from find_released_uploads(${wanted}::tsquery, ${code}::text, ${MAX_CANDIDATES + 1}::int) id`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Returns the ids of the uploads whose title and doctor have such words; null if there are too many. */
export async function selectUploadIdsByWords(
  db: Db,
  scope: UploadScope,
  words: readonly string[],
): Promise<string[] | null> {
  const wanted = beginnings(words)
  if (scope.kind === 'released-to') return collected(await selectReleasedIds(db, wanted, null))
  const rows = await db
    .selectFrom('upload')
    .select('id')
    .where(sql<SqlBool>`${UPLOAD_WORDS} @@ ${wanted}::tsquery`)
    .where('deleted_at', 'is', null)
    .limit(MAX_CANDIDATES + 1)
    .execute()
  return collected(rows.map(({ id }) => id))
}

/** Returns the ids of the uploads whose accession number begins with the code, at most 2,000. */
export async function selectUploadIdsByCode(db: Db, scope: UploadScope, code: string): Promise<string[]> {
  if (scope.kind === 'released-to') return selectReleasedIds(db, null, code)
  const rows = await db
    .selectFrom('upload')
    .select('id')
    .where(sql<SqlBool>`${ACCESSION_CODE} like ${`${code}%`}`)
    .where('accession_number', 'is not', null)
    .where('deleted_at', 'is', null)
    .limit(MAX_CANDIDATES)
    .execute()
  return rows.map(({ id }) => id)
}

const anyOf = (conditions: readonly RawBuilder<SqlBool>[]) =>
  sql<SqlBool>`(${sql.join([...conditions], sql` or `)})`
const hasId = (ids: readonly string[]) => sql<SqlBool>`upload.id = any(${ids}::uuid[])`
const isOfPatient = (ids: readonly string[]) => sql<SqlBool>`upload.patient_id = any(${ids}::uuid[])`

const isBorn = ({ from, to }: Days) => sql<SqlBool>`exists (
    select from patient where patient.id = upload.patient_id and patient.birth_date between ${from}::date and ${to}::date
    offset 0)`

const isNamed = ({ spellings, patientIds, uploadIds }: NameWords) => [
  patientIds ? isOfPatient(patientIds) : hasName('upload.patient_id', spellings),
  ...(uploadIds === null
    ? [sql<SqlBool>`${UPLOAD_WORDS} @@ ${beginnings(spellings[0]!)}::tsquery`]
    : uploadIds.length > 0
      ? [hasId(uploadIds)]
      : []),
]

/** Next to a name, digits may also be part of the name, as for newborn twins who have no given names yet. */
const isNumbered = ({ digits, uploadIds }: NumberWord, isBesideName: boolean) => [
  uploadIds ? hasId(uploadIds) : sql<SqlBool>`upload.number::text like ${`${digits}%`}`,
  ...(isBesideName ? [hasWord('upload.patient_id', digits)] : []),
]

/** Short words, such as `ct`, are whole; long ones are beginnings, and what was typed from three letters: `eco` of Ecocardiografie. */
const isExamination = ({ word, meanings, slugs }: ExaminationWord) => [
  sql<SqlBool>`${UPLOAD_WORDS} @@ ${meanings.map((each) => (each.length > (each === word ? 2 : 4) ? `${each}:*` : each)).join(' | ')}::tsquery`,
  sql<SqlBool>`upload.category_slug = any(${slugs}::text[])`,
  hasWord('upload.patient_id', word),
]

/** Returns a list's conditions for a search, all of which hold. */
export function searchConditions(search: UploadSearch | null): RawBuilder<SqlBool>[] {
  if (search === null) return []
  const { names, numbers, examinations, born, identified } = search
  const parts = [
    ...(names ? [isNamed(names)] : []),
    ...numbers.map((each) => isNumbered(each, names !== null)),
    ...examinations.map(isExamination),
    ...(born ? [[born.patientIds ? isOfPatient(born.patientIds) : isBorn(born)]] : []),
  ]
  const byIds = [
    ...(identified.patientIds.length > 0 ? [isOfPatient(identified.patientIds)] : []),
    ...(identified.uploadIds.length > 0 ? [hasId(identified.uploadIds)] : []),
  ]
  const [only, ...others] = parts
  if (byIds.length === 0) return parts.length === 0 ? [sql<SqlBool>`false`] : parts.map(anyOf)
  if (only === undefined) return [anyOf(byIds)]
  if (others.length === 0) return [anyOf([...only, ...byIds])]
  return [anyOf([sql<SqlBool>`(${sql.join(parts.map(anyOf), sql` and `)})`, ...byIds])]
}
