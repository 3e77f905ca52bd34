import { type SqlBool, sql } from 'kysely'
import { NAME_PREFIX, namePrefix } from '../../../shared/romania/names.ts'
import type { Db } from '../../platform/database/database.ts'
import { type Placeholders, staticQuery, type Value } from '../../platform/database/static-query.ts'

/**
 * Checks a word among the entries that its prefix finds. The word is a parameter of `starts_with` and so does
 * not affect the plan, which fits all words; a query with `like` is planned for each word.
 */
const startsWith = (
  column: `${Entries}.${'first' | 'second'}_word` | 'other.first_word',
  word: Value<string>,
) => sql<SqlBool>`starts_with(${sql.ref(column)}, ${word})`

export type PatientIdColumn = 'pair.patient_id' | 'upload.patient_id' | 'patient.id'

/**
 * Whether the name of the patient in this column has a word that begins with `word`; `offset 0` looks up the patient's entries,
 * not those of all names with the word.
 */
export const hasWord = (patientId: PatientIdColumn, word: string) =>
  sql<SqlBool>`exists (
    select from patient_name_pair other
    where other.patient_id = ${sql.ref(patientId)} and other.second_prefix = ''
      and ${startsWith('other.first_word', word)} offset 0)`

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

/** Whether a word is shorter than what entries are indexed by. */
export const isShort = (word: string): boolean => word.length < NAME_PREFIX

const isLong = (word: string): boolean => !isShort(word)

/** First letters of words of names in Romania, the rarest first. */
const RARE_LETTERS = 'wqyxjhkzuoftebnlgvrdiapcsm'

const byLength = (a: string, b: string): number => b.length - a.length
const byRareness = (a: string, b: string): number =>
  byLength(a, b) || RARE_LETTERS.indexOf(a[0]!) - RARE_LETTERS.indexOf(b[0]!)

/**
 * Whether two of the words are long and one begins the other. Then the two longest have to be two words of a name, which
 * only an entry of both says.
 */
export const haveAlike = (words: readonly string[]): boolean =>
  words.some((word) => isLong(word) && words.some((each) => each !== word && each.startsWith(word)))

/**
 * Chooses the words that find the entries: the two longest, in the order of the entries; of equally long ones those that fewer
 * names have; but one if all are short. The `others` are only checked. Words that begin another word are left out, except
 * two long ones.
 */
function chooseWords(requested: readonly string[]): { chosen: string[]; others: string[] } {
  const beginsAnother = (word: string) => requested.some((each) => each !== word && each.startsWith(word))
  const words = requested
    .filter((word) => isLong(word) || !beginsAnother(word))
    .sort(haveAlike(requested) ? byLength : byRareness)
  const count = words.some(isLong) ? 2 : 1
  return {
    chosen: words.slice(0, count).sort(),
    others: words.slice(count).filter((word) => !beginsAnother(word)),
  }
}

type Entries = 'pair' | 'hidden'
export type PrefixColumn = 'first_prefix' | 'second_prefix'

/**
 * Whether an entry has the word's prefix, or one that begins with a short word: prefixes use a–z and 0–9,
 * before `{`.
 */
const hasPrefix = (column: PrefixColumn | `${Entries}.${PrefixColumn}`, word: string) =>
  isLong(word)
    ? sql<SqlBool>`${sql.ref(column)} = ${namePrefix(word)}`
    : sql<SqlBool>`(${sql.ref(column)} >= ${word} and ${sql.ref(column)} < ${`${word}{`})`

/** Two long words in the order of the entries, with their prefixes. */
export type LongWords<V extends Value<string> = Value<string>> = Record<
  'first' | 'firstPrefix' | 'second' | 'secondPrefix',
  V
>

/** Returns two long words as hasLongWords needs them. */
export function toLongWords(words: readonly string[]): LongWords<string> {
  const [first = '', second = ''] = [...words].sort()
  return { first, firstPrefix: namePrefix(first), second, secondPrefix: namePrefix(second) }
}

const inOrder = (entry: Entries, first: Value<string>, second: Value<string>) =>
  sql<SqlBool>`(${startsWith(`${entry}.first_word`, first)} and ${startsWith(`${entry}.second_word`, second)})`

/** Whether an entry has words that begin with these two; if they have one prefix, they may be in any order. */
export const hasLongWords = (entry: Entries, { first, firstPrefix, second, secondPrefix }: LongWords) =>
  sql<SqlBool>`(${sql.ref(`${entry}.first_prefix`)} = ${firstPrefix}
    and ${sql.ref(`${entry}.second_prefix`)} = ${secondPrefix}
    and (${inOrder(entry, first, second)} or ${inOrder(entry, second, first)}))`

/** Whether an entry has words that begin with these two, given in the order of the entries. */
const hasWords = (entry: Entries, first: string, second: string) =>
  isLong(first) && isLong(second)
    ? hasLongWords(entry, toLongWords([first, second]))
    : sql<SqlBool>`(${hasPrefix(`${entry}.first_prefix`, first)}
        and ${hasPrefix(`${entry}.second_prefix`, second)} and ${inOrder(entry, first, second)})`

/** The letters that nameKey writes with a mark if they have a diacritic. */
const UP_TO_MARK = /^[^aist]*[aist]?/

/**
 * Whether the key has a word that begins with `word`, which has letters and digits alone. The pattern is written as an operator,
 * since one plan suits all patterns here: no index is read by them.
 */
export function keyHasWord(
  key: 'pair.name_key' | 'patient.name_key',
  word: string,
  from: 'start' | 'second',
) {
  const name = sql.ref(key)
  const stem = UP_TO_MARK.exec(word)![0]
  const later = sql<SqlBool>`${name} ~~ ${`% ${stem}%`}`
  const stemmed = from === 'start' ? sql<SqlBool>`(${later} or ${name} ~~ ${`${stem}%`})` : later
  if (stem === word) return stemmed
  const folded = sql`translate(${name}, '{|', '')`
  return sql<SqlBool>`(${stemmed}
    and strpos(${from === 'start' ? sql`' ' || ${folded}` : folded}, ${` ${word}`}) > 0)`
}

/**
 * Whether a name in which `long` was found has a word that begins with another one. Nearly always its key, which is in the index
 * of the entries, says it; words with a beginning that the key does not show have an index of their own.
 */
function hasWordBeside(long: string, word: string) {
  const [first = '', second = ''] = [long, word].sort()
  const prefix = namePrefix(word)
  const hidden = namePrefix(first) === prefix ? 'first_prefix' : 'second_prefix'
  const shown = keyHasWord('pair.name_key', word, 'start')
  // A key that shows the prefix alone, as that of Popa, formerly Popescu: few names get here.
  const other = sql<SqlBool>`(${keyHasWord('pair.name_key', prefix, 'start')} and ${hasWord('pair.patient_id', word)})`
  return sql<SqlBool>`(${shown} ${prefix === word ? sql`` : sql`or ${other}`} or pair.patient_id in (
    select hidden.patient_id from patient_name_pair hidden
    where hides_beginning(hidden.name_key, ${sql.ref(`hidden.${hidden}`)}) and ${hasWords('hidden', first, second)}))`
}

/**
 * Returns the entries of patient_name_pair, as `pair`, of names with words that begin with each given word
 * (one or more).
 */
export function matchName(db: Db, requested: readonly string[]) {
  const { chosen, others } = chooseWords(requested)
  const [first = '', second] = chosen
  const long = chosen.find(isLong)
  let matches = db.selectFrom('patient_name_pair as pair').where(
    second === undefined
      ? sql<SqlBool>`${hasPrefix('pair.first_prefix', first)} and pair.second_prefix = ''
            and ${startsWith('pair.first_word', first)}`
      : hasWords('pair', first, second),
  )
  for (const word of others) {
    matches = matches.where(long === undefined ? hasWord('pair.patient_id', word) : hasWordBeside(long, word))
  }
  return matches
}

/**
 * Returns, if a long and a short word find the entries, the column of the short word and a recursive query of
 * the prefixes in it, each found by one index lookup after the one before; the last is null. Returns null for
 * other words. `isChecked`: further words leave few of the entries.
 */
export function findPrefixRanges(requested: readonly string[]) {
  const {
    chosen: [first = '', second = ''],
    others,
  } = chooseWords(requested)
  if (second === '' || (isLong(first) && isLong(second))) return null
  const column: PrefixColumn = isLong(first) ? 'second_prefix' : 'first_prefix'
  const range = isLong(first)
    ? sql`${hasPrefix('first_prefix', first)} and ${hasPrefix(column, second)}`
    : hasPrefix(column, first)
  const least = sql`select min(${sql.ref(column)}) from patient_name_pair where ${range}`
  const prefixes = sql`(${least} union all
    select (${least} and ${sql.ref(column)} > part.prefix) from part where part.prefix is not null)`
  return { column, prefixes, isChecked: others.length > 0 }
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

/** Entries of a word that is rare. */
const MAX_RARE = 500

/** A word that begins a word of some name: of whose, as the text of an array of ids, if it is rare. */
type KnownBeginning = { word: string; patient_ids: string | null }

/** Returns those of the words that begin a word of any name, for readers of all patients. */
export const selectKnownBeginnings = staticQuery((db, slot: Placeholders<{ words: readonly string[] }>) => {
  const entries = sql`patient_name_pair where second_prefix = '' and first_word >= word collate "C"
    and first_word < (word || '{') collate "C"`
  const query = sql<KnownBeginning>`select word,
      case when count <= ${sql.lit(MAX_RARE)} then array(select patient_id from ${entries} limit ${sql.lit(MAX_RARE)})::text end as patient_ids
    from unnest(${slot('words')}::text[]) word cross join lateral (
      select count(*) from (select from ${entries} limit ${sql.lit(MAX_RARE + 1)}) as entry) as counted
    where count > 0`
  return { compile: () => query.compile(db) }
})

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
