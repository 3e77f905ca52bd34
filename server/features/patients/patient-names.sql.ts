import { type SqlBool, sql } from 'kysely'
import { NAME_PREFIX, namePrefix } from '../../../shared/romania/names.ts'
import type { Db } from '../../platform/database/database.ts'

/** Words of a name that are looked for; more are not. */
export const MOST_WORDS = 6

/**
 * Within entries of the same first letters: no part of how they are found, so that one plan is as good for all words. (What
 * has `like` in it is planned anew each time.)
 */
const startsWith = (column: 'pair.first_word' | 'pair.second_word' | 'other.first_word', word: string) =>
  sql<SqlBool>`starts_with(${sql.ref(column)}, ${word})`

/** That the name of the patient in this column has a word that begins so. */
export const hasWord = (patientId: 'pair.patient_id' | 'upload.patient_id', word: string) =>
  sql<SqlBool>`exists (
    select from patient_name_pair other
    where other.patient_id = ${sql.ref(patientId)} and other.second_prefix = ''
      and ${startsWith('other.first_word', word)})`

const isLong = (word: string): boolean => word.length >= NAME_PREFIX

/**
 * Two long words, in the order of their entries, choose the entries, or a long and a short one where there are no more; else the
 * longest alone. `others` are checked. A short word that another one begins with asks for nothing more.
 */
function chooseWords(requested: readonly string[]): { chosen: string[]; others: string[] } {
  const words = requested
    .slice(0, MOST_WORDS)
    .filter((word, _at, all) => isLong(word) || !all.some((each) => each !== word && each.startsWith(word)))
    .sort((a, b) => b.length - a.length)
  // Of a short word many ranges are read: where more is checked, each of them to its end.
  const longOnes = words.filter(isLong).length
  const count = longOnes >= 2 || (longOnes === 1 && words.length === 2) ? 2 : 1
  return { chosen: words.slice(0, count).sort(), others: words.slice(count) }
}

export type PrefixColumn = 'first_prefix' | 'second_prefix'

/** That entries have the prefix of this word, or one that begins with it: all prefixes consist of a–z and 0–9, before `{`. */
const hasPrefix = (column: PrefixColumn, word: string) =>
  isLong(word)
    ? sql<SqlBool>`${sql.ref(column)} = ${namePrefix(word)}`
    : sql<SqlBool>`(${sql.ref(column)} >= ${word} and ${sql.ref(column)} < ${`${word}{`})`

/** The entries of patient_name_pair, as `pair`, of names that have words that begin with these, at least one. */
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
 * Where a long and a short word choose the entries: the column of the short one, and the prefixes that stand there for it, each
 * found after the one before by one look into the index (the last is null). Null where other words choose them.
 */
export function readParts(requested: readonly string[]) {
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

/** The patients of such names, whoever may see them; null where there are more than `most` entries. */
export async function selectPatientIdsByName(
  db: Db,
  words: readonly string[],
  most: number,
): Promise<string[] | null> {
  const rows = await matchName(db, words)
    .select('pair.patient_id')
    .limit(most + 1)
    .execute()
  return rows.length > most ? null : [...new Set(rows.map(({ patient_id }) => patient_id))]
}
