import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { keySpellings, nearWords } from '../../../../shared/romania/names.ts'
import type { Db } from '../../../platform/database/database.ts'
import { type Placeholders, staticQueries } from '../../../platform/database/static-query.ts'
import {
  type KeysetOrder,
  type KeysetRows,
  keyset,
  keysetRows,
  type PageRequest,
} from '../../../platform/keyset.ts'
import {
  findPrefixRanges,
  hasLongWords,
  hasName,
  hasWord,
  haveAlike,
  isShort,
  keyHasWord,
  type LongWords,
  matchName,
  matchNearName,
  type NearName,
  selectKnownWords,
  selectPatientIdsByName,
  toLongWords,
} from '../patient-names.sql.ts'
import type { PatientScope } from '../patients.access.ts'
import {
  foundColumns,
  institutionsOf,
  type PatientRow,
  patients,
  type Shown,
  visible,
} from '../patients.db.ts'
import type { Days, Digits } from './read-query.ts'

const BY_NAME: KeysetOrder = { by: { 'patient.name_key': 'text', 'patient.id': 'uuid' }, direction: 'asc' }

const LIVE = sql<SqlBool>`(patient.deleted_at is null and patient.merged_into is null)`

/**
 * Whether the patient was referred; `offset 0` looks up the patient's referral, not all referrals of an
 * institution.
 */
const isReferredTo = (institutionIds: readonly string[]) =>
  sql<SqlBool>`exists (
    select from referral where referral.patient_id = patient.id
      and referral.institution_id = any(${institutionIds}::uuid[]) and not referral.mistaken offset 0)`

/** Whose patients are searched, and what is read of them. */
export type Sought = { scope: PatientScope; shown: Shown }

const found = (db: Db, { scope, shown }: Sought) => patients(db, scope, foundColumns(shown))

type Matches = { condition: Expression<SqlBool>; order: Expression<unknown> }

const fromFront = sql<string>`patient.cnp`
const fromEnd = sql<string>`reverse(patient.cnp) collate "C"`
const phoneFromEnd = sql<string>`reverse(patient.phone) collate "C"`
const reversed = (digits: string): string => [...digits].reverse().join('')

const cnpBegins = (digits: string): Matches => ({
  condition: sql`${fromFront} like ${`${digits}%`}`,
  order: fromFront,
})
const cnpEnds = (digits: string): Matches => ({
  condition: sql`${fromEnd} like ${`${reversed(digits)}%`}`,
  order: fromEnd,
})

/** A phone number is hidden from institutions, so a search must not confirm one either. */
function phoneEnds(scope: PatientScope, { digits, phone }: Digits): Matches[] {
  if (scope.kind !== 'all') return []
  return phone
    ? [{ condition: sql<SqlBool>`patient.phone = ${phone}`, order: sql`patient.id` }]
    : [{ condition: sql`${phoneFromEnd} like ${`${reversed(digits)}%`}`, order: phoneFromEnd }]
}

const matching = (db: Db, scope: PatientScope, { condition, order }: Matches, limit: number) =>
  db
    .selectFrom('patient')
    .select('patient.id')
    .where(LIVE)
    .$if(scope.kind !== 'all', (query) => query.where(isReferredTo(institutionsOf(scope))))
    .where(condition)
    // In a fixed order, so that each page reads the same rows.
    .orderBy(order)
    .limit(limit)

/** Matches read for each kind of number; one more shows that there are more. */
const MAX_DIGIT_MATCHES = 1_000

/**
 * Returns patients by phone (only for staff; whole or its end), by number, or by the first or last digits of the CNP. Matches
 * are read by index before they are sorted, at most a thousand of each kind; `is_cut` in each row says that
 * there are more.
 */
export function selectPatientsByDigits(db: Db, sought: Sought, searched: Digits, page: PageRequest) {
  const { scope } = sought
  const { digits } = searched
  const kinds = [
    cnpBegins(digits),
    cnpEnds(digits),
    ...(digits.length <= 10
      ? [{ condition: sql<SqlBool>`patient.number = ${Number(digits)}`, order: sql`patient.id` }]
      : []),
    ...phoneEnds(scope, searched),
  ].map((each) => matching(db, scope, each, MAX_DIGIT_MATCHES + 1))
  const arrays = kinds.map((kind) => sql`select array(${kind})`)
  return db
    .with('named(ids)', () => sql<{ ids: string[] }>`(${sql.join(arrays, sql` union all `)})`)
    .selectFrom('patient')
    .select(foundColumns(sought.shown))
    .where(visible(scope) as never)
    .select(
      sql<boolean>`(select bool_or(cardinality(ids) > ${sql.lit(MAX_DIGIT_MATCHES)}) from named)`.as(
        'is_cut',
      ),
    )
    .where(sql<SqlBool>`patient.id = any(array(select unnest(ids) from named))`)
    .$call((query) => keyset(query, BY_NAME, page))
    .execute()
}

/** Returns the ids of the patients whose CNP or phone (only for staff) ends with these digits; at most `limit` of each. */
export async function selectPatientIdsByDigits(
  db: Db,
  scope: PatientScope,
  sought: Digits,
  limit: number,
): Promise<string[]> {
  const rows = await Promise.all(
    [cnpEnds(sought.digits), ...phoneEnds(scope, sought)].map((each) =>
      matching(db, scope, each, limit).execute(),
    ),
  )
  return [...new Set(rows.flat().map(({ id }) => id))]
}

export const isBorn = ({ from, to }: Days) =>
  sql<SqlBool>`patient.birth_date between ${from}::date and ${to}::date`

/** Returns the patients born on a day, by name. */
export const selectPatientsBorn = (db: Db, sought: Sought, born: Days, page: PageRequest) =>
  keyset(found(db, sought).where(isBorn(born)), BY_NAME, page).execute()

const LOCALITY = sql<string>`fold_words(patient.locality) collate "C"`
/** The beginning of a locality, in words of a–z and 0–9. */
export const isFromLocality = (locality: string) => sql<SqlBool>`${LOCALITY} like ${`${locality}%`}`

/** Returns those of the texts that begin the locality of any patient. */
export async function selectKnownLocalities(db: Db, localities: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${localities}::text[]) name where exists (
      select from patient where ${LOCALITY} >= name collate "C" and ${LOCALITY} < (name || '{') collate "C"
        and patient.locality is not null and ${LIVE} offset 0)`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Few names have three words; those have an index of their own. */
const KEY_HAS_THREE_WORDS = sql<SqlBool>`split_part(patient.name_key, ' ', 3) <> ''`

type Spellings = readonly (readonly string[])[]

/** Selects the key of a name and the id of its patient. */
type Entries = Expression<unknown>

/** Returns a page of entries, in the order of the result and without those of patients who may not be read. */
const pageOfEntries = (
  matches: ReturnType<typeof matchName>,
  scope: PatientScope,
  condition: RawBuilder<SqlBool>,
  request: KeysetRows,
) =>
  keysetRows(
    matches
      .select(['pair.name_key', 'pair.patient_id'])
      .distinct()
      .innerJoin('patient', 'patient.id', 'pair.patient_id')
      .where(visible(scope) as never)
      .where(condition),
    { by: { 'pair.name_key': 'text', 'pair.patient_id': 'uuid' }, direction: 'asc' },
    request,
  )

/** Selects the patients of one page of several, each of which is in the order of the result. */
function patientsOf(db: Db, pages: readonly Entries[], shown: Shown, rows: KeysetRows['rows']) {
  const [only] = pages
  return db
    .with('page(name_key, patient_id)', () =>
      only && pages.length === 1
        ? (only as never)
        : (sql`(select distinct * from (${sql.join(pages, sql` union all `)}) as spelled (name_key, patient_id)
            order by name_key, patient_id limit ${rows})` as never),
    )
    .selectFrom('page')
    .innerJoin('patient', 'patient.id', 'page.patient_id')
    .select(foundColumns(shown))
    .orderBy('page.name_key')
    .orderBy('page.patient_id')
}

const WITH_KEY = ['patient.name_key', 'patient.id'] as const

type OfTwoWords = LongWords<string> & { rareIds: string; rows: number; nameKey: string; id: string }

/** A search for two long words of all patients, which is nearly every search: compiled once. */
const ofTwoWords = staticQueries(
  (shape: `${'first' | 'later'} ${Shown}`) => (db, slot: Placeholders<OfTwoWords>) => {
    const all: PatientScope = { kind: 'all' }
    const after = shape.startsWith('first') ? null : [slot('nameKey'), slot('id')]
    const request = { rows: slot('rows'), after }
    const words = {
      first: slot('first'),
      firstPrefix: slot('firstPrefix'),
      second: slot('second'),
      secondPrefix: slot('secondPrefix'),
    }
    const matches = db.selectFrom('patient_name_pair as pair').where(hasLongWords('pair', words))
    const rare = patients(db, all, WITH_KEY).where(sql<SqlBool>`patient.id = any(${slot('rareIds')}::uuid[])`)
    return patientsOf(
      db,
      [pageOfEntries(matches, all, sql`true`, request), keysetRows(rare, BY_NAME, request)],
      shape.endsWith('line') ? 'line' : 'whole',
      slot('rows'),
    )
  },
)

/**
 * Returns patients by the beginnings of any words of the name, in any order; if all words are short, by the
 * beginning of the surname. Sorted by name. The entries are indexed in this order, so a page reads about as
 * many entries as it shows; for a long and a short word (`ion po`) this holds for each prefix, and each
 * prefix gives one page. Of several spellings each gives one page. `idsOfRare`: whose names have a rare word.
 */
export function selectPatientsByName(
  db: Db,
  { scope, shown }: Sought,
  spellings: Spellings,
  page: PageRequest,
  {
    idsOfRare = new Map(),
    condition,
  }: { idsOfRare?: ReadonlyMap<string, string>; condition?: RawBuilder<SqlBool> } = {},
): Promise<PatientRow[]> {
  const [typed = [], joined = [], ...others] = spellings
  const rareIds = joined.length === 0 ? '{}' : joined.length === 1 && idsOfRare.get(joined[0]!)
  const isOfTwo = typed.length === 2 && !typed.some(isShort) && others.length === 0
  const rows = page.limit + 1
  if (isOfTwo && rareIds && condition === undefined && scope.kind === 'all') {
    const [nameKey = '', id = ''] = page.after ?? []
    const values = { ...toLongWords(typed), rareIds, rows, nameKey, id }
    return ofTwoWords(`${page.after ? 'later' : 'first'} ${shown}`)(db, values)
  }
  const request = { rows, after: page.after }
  const keys = patients(db, scope, WITH_KEY).where(condition ?? sql<SqlBool>`true`)
  const pages = spellings.flatMap((words): Entries[] => {
    if (words.every(isShort)) return pagesOfSurname(words)
    const rare = haveAlike(words) ? undefined : words.find((word) => idsOfRare.has(word))
    return [rare === undefined ? pageOfName(words) : pageOfRare(rare, words)]
  })
  return patientsOf(db, pages, shown, rows).execute() as Promise<PatientRow[]>

  /** Each spelling is an index range in the order of the result; one condition for all would be read whole. */
  function pagesOfSurname([start = '', ...more]: readonly string[]) {
    const checked = more.filter((word) => !more.some((each) => each !== word && each.startsWith(word)))
    return keySpellings(start).map((spelling) =>
      keysetRows(
        checked
          .reduce((query, word) => query.where(keyHasWord('patient.name_key', word, 'second')), keys)
          .$if(checked.length > 1, (query) => query.where(KEY_HAS_THREE_WORDS))
          .where('patient.name_key', '>=', spelling)
          .where('patient.name_key', '<', `${spelling}${LAST_CHARACTER}`),
        BY_NAME,
        request,
      ),
    )
  }

  /** All names with a rare word are read, not all with its prefix until the page is full. */
  function pageOfRare(rare: string, words: readonly string[]) {
    const named = keys.where(sql<SqlBool>`patient.id = any(${idsOfRare.get(rare)}::uuid[])`)
    const isNamed = (word: string) =>
      sql<SqlBool>`(${keyHasWord('patient.name_key', word, 'start')} or ${hasWord('patient.id', word)})`
    const checked = words.filter((word) => !rare.startsWith(word))
    return keysetRows(
      checked.reduce((query, word) => query.where(isNamed(word)), named),
      BY_NAME,
      request,
    )
  }

  function pageOfName(words: readonly string[]) {
    const matches = matchName(db, words)
    const pageOf = (each: typeof matches) => pageOfEntries(each, scope, condition ?? sql`true`, request)
    const prefixRanges = findPrefixRanges(words)
    if (prefixRanges === null) return pageOf(matches)
    if (prefixRanges.isChecked) {
      // Sorted before patients are read, so that only those of a page are read.
      const sorted = matches.selectAll().orderBy('name_key').orderBy('patient_id').offset(0)
      return pageOf(db.selectFrom(sorted.as('pair')))
    }
    const entries = pageOf(matches.where(sql<SqlBool>`${sql.ref(prefixRanges.column)} = part.prefix`))
    return db
      .withRecursive('part(prefix)', () => prefixRanges.prefixes as never)
      .selectFrom('part')
      .innerJoinLateral(entries.as('entry'), (join) => join.onTrue())
      .select(['entry.name_key', 'entry.patient_id'])
      .distinct()
      .orderBy('entry.name_key')
      .orderBy('entry.patient_id')
      .limit(rows)
  }
}

/** Sorted after every other character by its bytes. */
const LAST_CHARACTER = '\u{10FFFF}'

/** Patients collected by the name, or by the condition, before the other is checked. */
const MAX_CANDIDATES = 2_000

/**
 * Returns patients with such names that meet a condition that has an index, sorted by name. The rarer of both finds them, up
 * to 2,000; if both are frequent, names are read in order until the page is full.
 */
export async function selectPatientsByNameAnd(
  db: Db,
  sought: Sought,
  spellings: Spellings,
  condition: RawBuilder<SqlBool>,
  page: PageRequest,
) {
  const among = (ids: readonly string[], check: RawBuilder<SqlBool>) =>
    keyset(
      found(db, sought).where(sql<SqlBool>`patient.id = any(${ids}::uuid[])`).where(check),
      BY_NAME,
      page,
    ).execute()
  const named = await selectPatientIdsByName(db, spellings, MAX_CANDIDATES)
  if (named) return among(named, condition)
  const rows = await db
    .selectFrom('patient')
    .select('patient.id')
    .where(LIVE)
    .where(condition)
    .limit(MAX_CANDIDATES + 1)
    .execute()
  if (rows.length <= MAX_CANDIDATES) {
    return among(
      rows.map(({ id }) => id),
      hasName('patient.id', spellings),
    )
  }
  return selectPatientsByName(db, sought, spellings, page, { condition })
}

/** The longest words are changed; with each letter more a word has fewer others that it may be. */
const MAX_CHANGED_WORDS = 4

/** Returns the names that one typing error makes of these words, as far as any name has the changed word. */
export async function findNearNames(db: Db, words: readonly string[]): Promise<NearName[]> {
  const changed = [...words].sort((a, b) => b.length - a.length).slice(0, MAX_CHANGED_WORDS)
  const near = changed.map((word) => ({
    words: nearWords(word),
    others: words.filter((each) => each !== word),
  }))
  const known = await selectKnownWords(db, [...new Set(near.flatMap((each) => each.words))], 'whole')
  return near.flatMap(({ words: made, others }) =>
    made.filter((word) => known.has(word)).map((word) => ({ word, others })),
  )
}

/** Returns the ids of patients whose names differ by one typing error; at most `limit` for each name that it makes. */
export async function selectPatientIdsByNearName(
  db: Db,
  scope: PatientScope,
  names: readonly NearName[],
  limit: number,
  condition: RawBuilder<SqlBool> = sql`true`,
): Promise<string[]> {
  if (names.length === 0) return []
  const parts = names.map(
    (name) =>
      sql`(${matchNearName(db, name)
        .innerJoin('patient', 'patient.id', 'pair.patient_id')
        .select('patient.id')
        .where(visible(scope) as never)
        .where(condition)
        .limit(limit)})`,
  )
  const { rows } = await sql<{ id: string }>`${sql.join(parts, sql` union `)}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns those of these patients that the actor may read, by name. */
export const selectPatientsAmong = (db: Db, sought: Sought, ids: readonly string[], page: PageRequest) =>
  keyset(found(db, sought).where(sql<SqlBool>`patient.id = any(${ids}::uuid[])`), BY_NAME, page).execute()
