import type { Place } from '../../../shared/access/places.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { queryWords, searchWords, wordsBeginWith } from '../../../shared/romania/names.ts'
import type { UserCtx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { readSearch } from '../../graphql/connections.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { CategoryRow } from '../categories/categories.db.ts'
import { findCategories } from '../categories/find-category.ts'
import type { InstitutionRow } from '../institutions/institutions.db.ts'
import { searchInstitutions } from '../institutions/list-institutions.ts'
import type { PatientRow } from '../patients/patients.db.ts'
import { searchPatients } from '../patients/search/search-patients.ts'
import { listPatientReasons, type RowReason } from '../patients/search/search-reason.ts'
import { searchUploads } from '../uploads/list-uploads.ts'
import { listUploadReasons } from '../uploads/search/search-reason.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { findScreens } from './screens.ts'
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
  /** Why patients and uploads were found. */
  reasons: readonly RowReason[]
}

export type SearchSiteArgs = {
  query: string
  kinds?: readonly SearchKind[] | null | undefined
  first?: number | null | undefined
}

export const DEFAULT_RESULTS = 5

/**
 * Searches everything that the actor may read: patients and uploads as their lists do, institutions by name,
 * code or locality, categories and screens by name; at most `first` of each kind. One audit row records which patients, institutions and
 * uploads were returned.
 */
export async function searchSite(ctx: UserCtx, args: SearchSiteArgs): Promise<SearchResults> {
  const { text, limit } = readArgs(args)
  const kinds = new Set(args.kinds ?? SEARCH_KINDS)
  const isLongEnough = text.length >= LIMITS.searchTextMin
  const wants = (kind: SearchKind) => kinds.has(kind) && isLongEnough

  const found: Omit<SearchResults, 'reasons'> = {
    patients: wants('PATIENT')
      ? (await searchPatients(ctx, text, { limit, after: null })).slice(0, limit)
      : [],
    uploads: wants('UPLOAD') ? await findUploads(ctx, text, limit) : [],
    institutions: wants('INSTITUTION') ? await findInstitutions(ctx, text, limit) : [],
    categories: wants('CATEGORY') ? await searchCategories(ctx, text, limit) : [],
    screens: kinds.has('SCREEN') ? findScreens(ctx.actor, text).slice(0, LIMITS.searchHits) : [],
  }
  if (wants('PATIENT') || wants('UPLOAD') || wants('INSTITUTION')) {
    const subjects = [...found.patients, ...found.uploads, ...found.institutions]
    const subjectIds = subjects.map(({ id }) => id)
    await recordAudit(ctx, { action: 'search', subjectIds, ...describeSearch(text) })
  }
  const reasons = [
    ...listPatientReasons(ctx, found.patients, text),
    ...listUploadReasons(found.uploads, text),
  ]
  return { ...found, reasons }
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

/** Fewer digits are the beginning of too many numbers. */
const FEW_DIGITS = /^#?\d{1,2}$/

async function findUploads(ctx: UserCtx, text: string, limit: number): Promise<UploadRow[]> {
  return FEW_DIGITS.test(text) ? [] : searchUploads(ctx, text, limit)
}

async function findInstitutions(ctx: UserCtx, text: string, limit: number): Promise<InstitutionRow[]> {
  if (!canFindInstitutions(ctx.actor) || queryWords(text).length === 0) return []
  return searchInstitutions(ctx, text, limit)
}

async function searchCategories(ctx: UserCtx, text: string, limit: number): Promise<CategoryRow[]> {
  const wanted = queryWords(text)
  if (wanted.length === 0) return []
  const categories = await findCategories(ctx)
  return categories.filter(({ name }) => wordsBeginWith(searchWords(name), wanted)).slice(0, limit)
}
