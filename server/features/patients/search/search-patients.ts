import type { UserCtx } from '../../../context.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { PageRequest } from '../../../platform/keyset.ts'
import { isShort, selectKnownBeginnings, selectKnownWords } from '../patient-names.sql.ts'
import { patientScope } from '../patients.access.ts'
import type { PatientRow } from '../patients.db.ts'
import {
  findNearNames,
  isBorn,
  isFromLocality,
  type Sought,
  selectKnownLocalities,
  selectPatientIdsByDigits,
  selectPatientIdsByNearName,
  selectPatientsAmong,
  selectPatientsBorn,
  selectPatientsByDigits,
  selectPatientsByName,
  selectPatientsByNameAnd,
} from './patient-search.db.ts'
import { type Days, type Digits, isYear, type PatientQuery, readPatientQuery, yearOf } from './read-query.ts'

/** `is_cut`: the digits match more patients than are searched. */
export type FoundPatient = PatientRow & { is_cut?: boolean }

/** Patients of each near name: a hint to look at, not a list to read through. */
const MAX_NEAR = 20

/**
 * Returns the patients that match a text, and one more than the page if there are more. A text that matches no name may also
 * have a locality (for staff), and then one typing error. Writes no audit row: the caller does.
 */
export async function searchPatients(
  ctx: UserCtx,
  search: string,
  request: PageRequest,
  sought: Sought = { scope: patientScope(ctx.actor), shown: 'whole' },
): Promise<FoundPatient[]> {
  const { db } = ctx
  const query = readPatientQuery(search)
  switch (query.kind) {
    case 'nothing':
      return []
    case 'digits':
      return findByDigits(db, sought, query, request)
    case 'born':
      return selectPatientsBorn(db, sought, query.born, request)
    case 'name': {
      const named = await findByName(db, sought, query, request)
      if (named.length > 0) return named
      const local = await findByLocality(db, sought, query, request)
      return local.length > 0 ? local : findByNearName(db, sought, query, request)
    }
  }
}

/** Four digits that no number has are a birth year, if they can be one. */
async function findByDigits(
  db: Db,
  sought: Sought,
  query: Digits,
  page: PageRequest,
): Promise<FoundPatient[]> {
  const found = await selectPatientsByDigits(db, sought, query, page)
  if (found.length > 0 || !isYear(query.digits)) return found
  const isLastPage =
    page.after !== null &&
    (await selectPatientsByDigits(db, sought, query, { limit: 1, after: null })).length > 0
  return isLastPage ? [] : selectPatientsBorn(db, sought, yearOf(query.digits), page)
}

type NameQuery = Extract<PatientQuery, { kind: 'name' }>

async function findByName(
  db: Db,
  sought: Sought,
  { spellings, born }: NameQuery,
  page: PageRequest,
): Promise<PatientRow[]> {
  // For a guest, row-level security would check each entry that is counted.
  if (born || sought.scope.kind !== 'all') {
    const known = await knownSpellings(db, spellings)
    return born
      ? selectPatientsByNameAnd(db, sought, known, isBorn(born), page)
      : selectPatientsByName(db, sought, known, page)
  }
  const made = newWords(spellings)
  const known = made.length === 0 ? [] : await selectKnownBeginnings(db, { words: made })
  const words = new Set(known.map(({ word }) => word))
  const idsOfRare = new Map(
    known.flatMap(({ word, patient_ids }) =>
      patient_ids === null || isShort(word) ? [] : [[word, patient_ids]],
    ),
  )
  return selectPatientsByName(db, sought, among(spellings, words), page, { idsOfRare })
}

/** Returns the words of the other spellings that the first does not have. */
const newWords = ([typed = [], ...others]: readonly string[][]): string[] =>
  others.flat().filter((word) => !typed.includes(word))

/** Returns the first spelling and those others whose new words are known. */
const among = ([typed = [], ...others]: readonly string[][], known: ReadonlySet<string>): string[][] => [
  typed,
  ...others.filter((words) => words.every((word) => typed.includes(word) || known.has(word))),
]

/** Returns the first spelling and those others whose new words begin a word of any name. */
export const knownSpellings = async (db: Db, spellings: readonly string[][]): Promise<string[][]> =>
  among(spellings, await selectKnownWords(db, newWords(spellings), 'beginning'))

/** Words at the end of a text, or its first, that may be a locality; the others are the name. */
export const splitLocality = (words: readonly string[]): { locality: string; names: readonly string[] }[] => [
  ...[1, 2]
    .filter((count) => count < words.length)
    .map((count) => ({ locality: words.slice(-count).join(' '), names: words.slice(0, -count) })),
  ...(words.length > 1 ? [{ locality: words[0]!, names: words.slice(1) }] : []),
]

/** The address of a patient is hidden from institutions. */
async function findByLocality(
  db: Db,
  sought: Sought,
  { words, born }: NameQuery,
  page: PageRequest,
): Promise<PatientRow[]> {
  const splits = splitLocality(words).filter(({ locality }) => locality.length >= MIN_LOCALITY_LETTERS)
  if (sought.scope.kind !== 'all' || born || splits.length === 0) return []
  const known = await selectKnownLocalities(
    db,
    splits.map(({ locality }) => locality),
  )
  for (const { locality, names } of splits) {
    if (!known.has(locality)) continue
    const rows = await selectPatientsByNameAnd(db, sought, [names], isFromLocality(locality), page)
    if (rows.length > 0) return rows
  }
  return []
}

const MIN_LOCALITY_LETTERS = 3

async function findByNearName(
  db: Db,
  sought: Sought,
  { words, born }: NameQuery,
  page: PageRequest,
): Promise<PatientRow[]> {
  const names = await findNearNames(db, words)
  const ids = await selectPatientIdsByNearName(
    db,
    sought.scope,
    names,
    MAX_NEAR,
    born ? isBorn(born) : undefined,
  )
  return ids.length === 0 ? [] : selectPatientsAmong(db, sought, ids, page)
}

/** Returns the ids of the patients whose names differ from these words by one typing error, some of each name. */
export async function findNearPatientIds(
  { db, actor }: UserCtx,
  words: readonly string[],
): Promise<string[]> {
  return selectPatientIdsByNearName(db, patientScope(actor), await findNearNames(db, words), MAX_NEAR)
}

/** Returns the ids of at most `limit` patients born on these days, with such names unless there are none. */
export async function findPatientIdsBorn(
  { db, actor }: UserCtx,
  spellings: string[][] | null,
  born: Days,
  limit: number,
): Promise<string[]> {
  const page = { limit: limit - 1, after: null }
  const sought: Sought = { scope: patientScope(actor), shown: 'line' }
  const rows = spellings
    ? await selectPatientsByNameAnd(db, sought, spellings, isBorn(born), page)
    : await selectPatientsBorn(db, sought, born, page)
  return rows.map(({ id }) => id)
}

/** Fewer last digits are those of too many patients to name one. */
const MIN_END = 4

/** Returns the ids of the patients whose CNP or phone ends with at least four such digits, at most `limit` of each. */
export const findPatientIdsByDigits = async (
  { db, actor }: UserCtx,
  digits: Digits,
  limit: number,
): Promise<string[]> =>
  digits.digits.length < MIN_END ? [] : selectPatientIdsByDigits(db, patientScope(actor), digits, limit)
