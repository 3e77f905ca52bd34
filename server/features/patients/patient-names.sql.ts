import { type SqlBool, sql } from 'kysely'
import { NAME_PREFIX, namePrefix } from '../../../shared/romania/names.ts'
import type { Db } from '../../platform/database/database.ts'

/**
 * Checks a word among the entries that its prefix finds. The word is a parameter of `starts_with` and so does
 * not affect the plan, which fits all words; a query with `like` is planned for each word.
 */
const startsWith = (column: 'pair.first_word' | 'pair.second_word' | 'other.first_word', word: string) =>
  sql<SqlBool>`starts_with(${sql.ref(column)}, ${word})`

export type PatientIdColumn = 'pair.patient_id' | 'upload.patient_id' | 'patient.id'

/** Whether the name of the patient in this column has a word that begins with `word`. */
export const hasWord = (patientId: PatientIdColumn, word: string) =>
  sql<SqlBool>`exists (
    select from patient_name_pair other
    where other.patient_id = ${sql.ref(patientId)} and other.second_prefix = ''
      and ${startsWith('other.first_word', word)})`

/** Whether the name of the patient in this column has all words of one of the spellings. */
export const hasName = (patientId: PatientIdColumn, spellings: readonly (readonly string[])[]) =>
  sql<SqlBool>`(${sql.join(
    spellings.map(
      (words) =>
        sql`(${sql.join(
          words.map((word) => hasWord(patientId, word)),
          sql` and `,
        )})`,
    ),
    sql` or `,
  )})`

const isLong = (word: string): boolean => word.length >= NAME_PREFIX

/**
 * Chooses the words that find the entries: two long words, in the order of the entries; or a long and a short
 * word if there are no others; else the longest word. The `others` are only checked. A short word that begins
 * another word adds nothing and is dropped.
 */
function chooseWords(requested: readonly string[]): { chosen: string[]; others: string[] } {
  const words = requested
    .filter(
      (word, _index, all) => isLong(word) || !all.some((each) => each !== word && each.startsWith(word)),
    )
    .sort((a, b) => b.length - a.length)
  // A short word reads many ranges, each to its end if further words are checked.
  const longOnes = words.filter(isLong).length
  const count = longOnes >= 2 || (longOnes === 1 && words.length === 2) ? 2 : 1
  return { chosen: words.slice(0, count).sort(), others: words.slice(count) }
}

export type PrefixColumn = 'first_prefix' | 'second_prefix'

/**
 * Whether an entry has the word's prefix, or one that begins with a short word: prefixes use a–z and 0–9,
 * before `{`.
 */
const hasPrefix = (column: PrefixColumn, word: string) =>
  isLong(word)
    ? sql<SqlBool>`${sql.ref(column)} = ${namePrefix(word)}`
    : sql<SqlBool>`(${sql.ref(column)} >= ${word} and ${sql.ref(column)} < ${`${word}{`})`

/**
 * Returns the entries of patient_name_pair, as `pair`, of names with words that begin with each given word
 * (one or more).
 */
export function matchName(db: Db, requested: readonly string[]) {
  const {
    chosen: [first = '', second],
    others,
  } = chooseWords(requested)
  const inOrder = (a: string, b: string) =>
    sql<SqlBool>`(${startsWith('pair.first_word', a)} and ${startsWith('pair.second_word', b)})`
  let matches = db
    .selectFrom('patient_name_pair as pair')
    .where(hasPrefix('first_prefix', first))
    .where(second === undefined ? sql<SqlBool>`second_prefix = ''` : hasPrefix('second_prefix', second))
    .where(
      second === undefined
        ? startsWith('pair.first_word', first)
        : namePrefix(first) === namePrefix(second)
          ? sql<SqlBool>`(${inOrder(first, second)} or ${inOrder(second, first)})`
          : inOrder(first, second),
    )
  for (const word of others) matches = matches.where(hasWord('pair.patient_id', word))
  return matches
}

/**
 * Returns, if a long and a short word find the entries, the column of the short word and a recursive query of
 * the prefixes in it, each found by one index lookup after the one before; the last is null. Returns null for
 * other words.
 */
export function findPrefixRanges(requested: readonly string[]) {
  const {
    chosen: [first = '', second = ''],
  } = chooseWords(requested)
  if (second === '' || (isLong(first) && isLong(second))) return null
  const column: PrefixColumn = isLong(first) ? 'second_prefix' : 'first_prefix'
  const range = isLong(first)
    ? sql`${hasPrefix('first_prefix', first)} and ${hasPrefix(column, second)}`
    : hasPrefix(column, first)
  const least = sql`select min(${sql.ref(column)}) from patient_name_pair where ${range}`
  const prefixes = sql`(${least} union all
    select (${least} and ${sql.ref(column)} > part.prefix) from part where part.prefix is not null)`
  return { column, prefixes }
}

/** A name in which one word was typed with an error: `word` is the whole word that was meant, the others are beginnings. */
export type NearName = { word: string; others: readonly string[] }

/** Returns the entries of such a name, as `pair`: of the word alone, or together with the longest other word. */
export function matchNearName(db: Db, { word, others }: NearName) {
  const [longest = '', ...shorter] = [...others].sort((a, b) => b.length - a.length)
  const entries = db.selectFrom('patient_name_pair as pair')
  const checked = (matches: typeof entries, words: readonly string[]) =>
    words.reduce((query, other) => query.where(hasWord('pair.patient_id', other)), matches)
  if (!isLong(longest)) {
    return checked(entries.where('second_prefix', '=', '').where('first_word', '=', word), others)
  }
  const [first = '', second = ''] = [namePrefix(word), namePrefix(longest)].sort()
  return checked(
    entries
      .where('first_prefix', '=', first)
      .where('second_prefix', '=', second)
      .where(
        sql<SqlBool>`(pair.first_word = ${word} and ${startsWith('pair.second_word', longest)}
          or pair.second_word = ${word} and ${startsWith('pair.first_word', longest)})`,
      ),
    shorter,
  )
}

/**
 * Returns the ids of the patients with such names, without a scope; null if there are more than `maxEntries`
 * entries.
 */
export async function selectPatientIdsByName(
  db: Db,
  spellings: readonly (readonly string[])[],
  maxEntries: number,
): Promise<string[] | null> {
  const rows = await Promise.all(
    spellings.map((words) =>
      matchName(db, words)
        .select('pair.patient_id')
        .limit(maxEntries + 1)
        .execute(),
    ),
  )
  return rows.some(({ length }) => length > maxEntries)
    ? null
    : [...new Set(rows.flat().map(({ patient_id }) => patient_id))]
}

/** Returns those of the words that are in any name: whole, or as the beginning of a word. */
export async function selectKnownWords(
  db: Db,
  words: readonly string[],
  as: 'whole' | 'beginning',
): Promise<Set<string>> {
  if (words.length === 0) return new Set()
  const { rows } = await sql<{ word: string }>`
    select word from known_name_words(${words}::text[], ${as === 'whole'}::boolean) word`.execute(db)
  return new Set(rows.map(({ word }) => word))
}
