import { queryWords } from '../../../../shared/romania/names.ts'
import { examinationWords, namesExamination } from '../../../../shared/uploads/examination-words.ts'
import type { UserCtx } from '../../../context.ts'
import { findCategories, resolveCategorySlug } from '../../categories/find-category.ts'
import {
  type Days,
  findDate,
  isNumber,
  isYear,
  MAX_QUERY_WORDS,
  readPatientQuery,
  yearOf,
} from '../../patients/search/read-query.ts'
import {
  findNearPatientIds,
  findPatientIdsBorn,
  findPatientIdsByDigits,
  knownSpellings,
} from '../../patients/search/search-patients.ts'
import { findSite } from '../../site/find-site.ts'
import { uploadScope } from '../uploads.access.ts'
import {
  collected,
  MAX_CANDIDATES,
  selectNumberedIds,
  selectPatientIdsNamed,
  selectUploadIdsByCode,
  selectUploadIdsByWords,
} from './upload-search.db.ts'
import type { ExaminationWord, NameWords, NumberWord, UploadSearch } from './upload-search.ts'

/**
 * Reads what a text searches uploads by, and collects what is rare: the name, the birth date or year, the CNP or the phone of
 * the patient, the number of the upload, its accession number, doctor, title and category. Null for an empty text. A name that
 * no patient has stands for those with one typing error, unless the `accuracy` is exact.
 */
export async function readUploadSearch(
  ctx: UserCtx,
  text: string,
  accuracy: 'exact' | 'near' = 'near',
): Promise<UploadSearch | null> {
  if (text === '') return null
  const dated = findDate(text)
  const words = queryWords(dated.rest).slice(0, MAX_QUERY_WORDS)
  const [examinations, identified] = await Promise.all([
    readExaminations(ctx, words),
    findIdentified(ctx, text),
  ])
  const isExamination = (word: string) => examinations.some((each) => each.word === word)
  const query = readPatientQuery(withoutWords(dated.rest, isExamination))
  const named = query.kind === 'name' ? query : null
  const born = named?.born ?? dated.born
  const year = named?.born?.from.slice(0, 4)
  const names = named && (await readNames(ctx, named, born, identified, accuracy))
  const numbers = await readNumbers(
    ctx,
    words.filter((word) => isDigits(word) && word !== year),
  )
  const [number] = numbers
  // Four digits that no number has are a birth year, if they can be one.
  if (isYear(text.trim()) && isNobody(identified) && number?.uploadIds?.length === 0)
    return readYear(ctx, yearOf(number.digits))
  return {
    names,
    numbers,
    examinations,
    born: born && {
      ...born,
      patientIds: names ? null : await findPatientIdsBorn(ctx, null, born, MAX_CANDIDATES),
    },
    identified,
  }
}

const isNobody = ({ patientIds, uploadIds }: UploadSearch['identified']): boolean =>
  patientIds.length === 0 && uploadIds.length === 0

async function readYear(ctx: UserCtx, born: Days): Promise<UploadSearch> {
  const patientIds = collected(await findPatientIdsBorn(ctx, null, born, MAX_CANDIDATES + 1))
  return {
    names: null,
    numbers: [],
    examinations: [],
    born: { ...born, patientIds },
    identified: { patientIds: [], uploadIds: [] },
  }
}

/** A title before a name: `Dr. Radu Câmpeanu`, as lists show doctors. */
const TITLE = /(?<=^|\s)(?:dr|dna|prof)[.\s]+(?=\S)/giu

/** Returns the text without titles, such words and digits, other than a year: a name, also with a birth year. */
export const withoutWords = (text: string, isExamination: (word: string) => boolean): string =>
  text
    .replace(TITLE, '')
    .split(/\s+/)
    .filter(
      (part) => !queryWords(part).every((word) => isExamination(word) || (isDigits(word) && !isYear(word))),
    )
    .join(' ')

const isDigits = (word: string): boolean => /^\d+$/.test(word)

const readNumbers = ({ db }: UserCtx, numbers: readonly string[]): Promise<NumberWord[]> =>
  Promise.all(numbers.map(async (digits) => ({ digits, uploadIds: await selectNumberedIds(db, digits) })))

/** Finds the words of examinations: of the synonyms, and of the categories with the words that the settings give them. */
async function readExaminations(ctx: UserCtx, words: readonly string[]): Promise<ExaminationWord[]> {
  const meant = words.flatMap((word) => {
    const meanings = examinationWords(word)
    return meanings ? [{ word, meanings }] : []
  })
  if (meant.length === 0) return []
  const [{ category_words }, categories] = await Promise.all([findSite(ctx.db), findCategories(ctx)])
  const named = [
    ...categories.map(({ slug, name }) => ({ slug, text: name })),
    ...(await Promise.all(
      category_words.map(async (each) => ({
        slug: await resolveCategorySlug(ctx, each.slug),
        text: each.words.join(' '),
      })),
    )),
  ]
  return meant.map(({ word, meanings }) => ({
    word,
    meanings,
    slugs: [...new Set(named.filter(({ text }) => namesExamination(text, meanings)).map(({ slug }) => slug))],
  }))
}

/** A shorter code is the beginning of too many. */
const MIN_CODE = 3

/** Returns the text as accession numbers are compared: without the signs between its parts; null if it cannot be one. */
export function readAccessionCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s./_#-]/g, '')
  return code.length >= MIN_CODE && /\d/.test(code) && /^[a-z0-9]+$/.test(code) ? code : null
}

/** Finds the patients with this CNP or phone, or its end, and the uploads whose accession number begins with the text. */
async function findIdentified(ctx: UserCtx, text: string): Promise<UploadSearch['identified']> {
  const query = isNumber(text) ? readPatientQuery(text) : null
  const code = readAccessionCode(text)
  const [patientIds, uploadIds] = await Promise.all([
    query?.kind === 'digits' ? findPatientIdsByDigits(ctx, query, MAX_CANDIDATES) : [],
    code === null ? [] : selectUploadIdsByCode(ctx.db, uploadScope(ctx.actor), code),
  ])
  return { patientIds, uploadIds }
}

/** Titles and doctors are searched by words of at least three letters: shorter ones begin too many. */
const MIN_TEXT_LETTERS = 3

async function readNames(
  ctx: UserCtx,
  { words, spellings }: { words: string[]; spellings: string[][] },
  born: Days | null,
  identified: UploadSearch['identified'],
  accuracy: 'exact' | 'near',
): Promise<NameWords> {
  const [known, uploadIds] = await Promise.all([
    knownSpellings(ctx.db, spellings),
    // Beside a birth date or year the words are the patient's name.
    born === null && words.every((word) => word.length >= MIN_TEXT_LETTERS)
      ? selectUploadIdsByWords(ctx.db, uploadScope(ctx.actor), words)
      : [],
  ])
  const patientIds = born
    ? collected(await findPatientIdsBorn(ctx, known, born, MAX_CANDIDATES + 1))
    : await selectPatientIdsNamed(ctx.db, known)
  const isFound = [patientIds, uploadIds, identified.patientIds, identified.uploadIds].some(
    (ids) => ids === null || ids.length > 0,
  )
  return {
    spellings: known,
    uploadIds,
    patientIds: isFound || accuracy === 'exact' ? patientIds : await findNearPatientIds(ctx, words),
  }
}
