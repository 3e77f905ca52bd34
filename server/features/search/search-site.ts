import type { Place } from '../../../shared/access/places.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { queryWords } from '../../../shared/romania/names.ts'
import type { UserCtx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { readSearch } from '../../graphql/connections.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { CategoryRow } from '../categories/categories.db.ts'
import { findCategories } from '../categories/find-category.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import { searchInstitutions } from '../institutions/list-institutions.ts'
import { searchPatients } from '../patients/list-patients.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { searchUploads } from '../uploads/list-uploads.ts'
import { numbersBeginningWith } from '../uploads/upload-numbers.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findScreens, matchesAll } from './screens.ts'
import { canFindInstitutions } from './search.access.ts'

export const SEARCH_KINDS = ['PATIENT', 'INSTITUTION', 'UPLOAD', 'CATEGORY', 'SCREEN'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** The matches of each kind; a kind that was not requested is empty. */
export type SearchResults = {
  patients: readonly PatientRow[]
  institutions: readonly InstitutionRow[]
  uploads: readonly UploadRow[]
  categories: readonly CategoryRow[]
  screens: readonly Place[]
}

export type SearchSiteArgs = {
  query: string
  kinds?: readonly SearchKind[] | null | undefined
  first?: number | null | undefined
}

export const DEFAULT_RESULTS = 5
/** Patients with a matching name whose uploads are included. */
const MAX_PATIENTS_WITH_UPLOADS = 50

/**
 * Searches everything that the actor may read: patients by name, CNP, phone or number, institutions by name,
 * code or locality, uploads by their patient's name or by the beginning of their number, categories and
 * screens by name; at most `first` of each kind. One audit row records which patients, institutions and
 * uploads were returned.
 */
export async function searchSite(ctx: UserCtx, args: SearchSiteArgs): Promise<SearchResults> {
  const { text, limit } = readArgs(args)
  const kinds = new Set(args.kinds ?? SEARCH_KINDS)
  const isLongEnough = text.length >= LIMITS.searchTextMin
  const wants = (kind: SearchKind) => kinds.has(kind) && isLongEnough

  const found: SearchResults = {
    ...(await findPatientsAndUploads(ctx, text, limit, {
      patients: wants('PATIENT'),
      uploads: wants('UPLOAD'),
    })),
    institutions: wants('INSTITUTION') ? await findInstitutions(ctx, text, limit) : [],
    categories: wants('CATEGORY') ? await searchCategories(ctx, text, limit) : [],
    screens: kinds.has('SCREEN') ? findScreens(ctx.actor, text).slice(0, LIMITS.searchHits) : [],
  }
  if (wants('PATIENT') || wants('UPLOAD') || wants('INSTITUTION')) {
    const subjects = [...found.patients, ...found.uploads, ...found.institutions]
    const subjectIds = subjects.map(({ id }) => id)
    await recordAudit(ctx, { action: 'search', subjectIds, ...describeSearch(text) })
  }
  return found
}

function readArgs({ query, first }: SearchSiteArgs): { text: string; limit: number } {
  const text = readSearch(query, 'query')
  const limit = first ?? DEFAULT_RESULTS
  if (limit < 1 || limit > LIMITS.searchHits) {
    throw invalid([
      { field: 'first', message: `Se arată între 1 și ${LIMITS.searchHits} rezultate de un fel.` },
    ])
  }
  return { text, limit }
}

/** Finds patients, and uploads: those of the found patients, and those whose number begins with the text. */
async function findPatientsAndUploads(
  ctx: UserCtx,
  text: string,
  limit: number,
  wanted: { patients: boolean; uploads: boolean },
): Promise<Pick<SearchResults, 'patients' | 'uploads'>> {
  const digits = NUMBER.exec(text)?.[1]
  const numbers = digits ? numbersBeginningWith(digits, digits.length + MAX_MORE_DIGITS) : []
  // A few digits are an upload's number and do not find the uploads of patients by CNP; a whole CNP or phone
  // does.
  const namesPatients = !NUMBER_SEARCH.test(text)
  const maxPatients = wanted.uploads && namesPatients ? MAX_PATIENTS_WITH_UPLOADS : limit
  const matching =
    wanted.patients || (wanted.uploads && namesPatients)
      ? await searchPatients(ctx, text, { limit: maxPatients, after: null })
      : []
  const patients = wanted.patients ? matching.slice(0, limit) : []
  const patientIds = namesPatients ? matching.slice(0, maxPatients).map(({ id }) => id) : []
  if (!wanted.uploads || (patientIds.length === 0 && numbers.length === 0)) return { patients, uploads: [] }
  return { patients, uploads: await searchUploads(ctx, { patientIds, numbers }, limit) }
}

const NUMBER_SEARCH = /^#?\d{1,9}$/
/** At least three digits: fewer are the beginning of too many numbers. */
const NUMBER = /^#?([1-9]\d{2,8})$/
/** How many digits longer a matching number may be. */
const MAX_MORE_DIGITS = 3

async function findInstitutions(ctx: UserCtx, text: string, limit: number): Promise<InstitutionRow[]> {
  if (!canFindInstitutions(ctx.actor) || queryWords(text).length === 0) return []
  return searchInstitutions(ctx, text, limit)
}

async function searchCategories(ctx: UserCtx, text: string, limit: number): Promise<CategoryRow[]> {
  const wanted = queryWords(text)
  if (wanted.length === 0) return []
  const categories = await findCategories(ctx)
  return categories.filter(({ name }) => matchesAll(wanted, name)).slice(0, limit)
}
