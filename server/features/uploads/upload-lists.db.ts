import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { queryWords } from '../../../shared/romania/names.ts'
import type { UploadState } from '../../../shared/uploads/upload-states.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { keyset, type PageRequest } from '../../platform/keyset.ts'
import { hasWord, MOST_WORDS, matchName, selectPatientIdsByName } from '../patients/patient-names.sql.ts'
import { MAX_DIGITS, numbersBeginningWith } from './upload-numbers.ts'
import type { UploadScope } from './uploads.access.ts'
import { isReferredTo, type UploadRow, uploads, visible } from './uploads.db.ts'

export type UploadFilter = {
  states: readonly UploadState[]
  /** Slugs, each with all that stands under it; none: every upload. */
  categories: readonly string[]
  institutionId: string | null
  mine: boolean
  /** The first day of the state, yyyy-MM-dd in Romania. */
  since: string | null
  /** Only what nobody of the institution has opened. */
  unopened: boolean
  search: string
  /** By the time since which an upload is in its state. */
  order: 'asc' | 'desc'
}

type UploadQuery = SelectQueryBuilder<DB, 'upload', { id: string; at: Date | null }>

/**
 * That an upload is among the first of these ranges. Each of them is read from an index in the order of the answer, no
 * further than a page; all of them at once would be read whole and sorted. Of the many joins of a list only a page is made.
 */
const isAmongFirst = (ranges: readonly UploadQuery[], order: 'asc' | 'desc', limit: number) =>
  sql<SqlBool>`upload.id = any(array(
    select id from (${sql.join(ranges, sql` union all `)}) as range
    order by at ${sql.raw(order)}, id ${sql.raw(order)} limit ${limit}))`

/** Returns one page of the uploads that match the filter, in its order. */
export async function selectQueue(
  db: Db,
  scope: UploadScope,
  readerId: string,
  filter: UploadFilter,
  page: PageRequest,
) {
  const mentions = await readMentions(db, filter.search)
  const { order } = filter
  const inState = (state: UploadState): UploadQuery => {
    let query = db
      .selectFrom('upload')
      .select(['upload.id', 'upload.state_since as at'])
      .where(visible(scope))
      .where('upload.state', '=', state)
    if (filter.categories.length > 0) {
      query = query.where((eb) =>
        eb.or(
          filter.categories.flatMap((slug) => [
            eb('upload.category_slug', '=', slug),
            eb('upload.category_slug', 'like', `${slug}::%`),
          ]),
        ),
      )
    }
    if (filter.institutionId) query = query.where('upload.institution_id', '=', filter.institutionId)
    if (filter.mine) query = query.where('upload.created_by', '=', readerId)
    if (filter.since) {
      query = query.where(
        sql<SqlBool>`upload.state_since >= (${filter.since}::date)::timestamp at time zone 'Europe/Bucharest'`,
      )
    }
    if (filter.unopened) {
      query = query.where(
        sql<SqlBool>`not exists (select from upload_opening where upload_opening.upload_id = upload.id)`,
      )
    }
    for (const mentioned of mentions) query = query.where(mentioned)
    return keyset(
      query,
      { by: { 'upload.state_since': 'timestamptz', 'upload.id': 'uuid' }, direction: order },
      page,
    )
  }
  return uploads(db, scope, readerId)
    .where(isAmongFirst([...new Set(filter.states)].map(inState), order, page.limit + 1))
    .orderBy('upload.state_since', order)
    .orderBy('upload.id', order)
    .execute()
}

/** So many patients, or uploads, are gathered first; of what is more frequent the list is read until a page is full. */
const MAX_CANDIDATES = 2_000

/**
 * That the patient's name has all of these words, that the number begins so: what a list is narrowed to. Beside a name, digits
 * may be a word of it, as of twins who have no names yet.
 */
async function readMentions(db: Db, search: string): Promise<RawBuilder<SqlBool>[]> {
  const words = queryWords(search).slice(0, MOST_WORDS)
  const numbers = words.filter((word) => /^\d+$/.test(word))
  const names = words.filter((word) => !numbers.includes(word))
  const numbered = await Promise.all(numbers.map((digits) => isNumbered(db, digits)))
  if (names.length === 0) return numbered
  return [
    await isNamed(db, names),
    ...numbered.map(
      (condition, at) => sql<SqlBool>`(${condition} or ${hasWord('upload.patient_id', numbers[at]!)})`,
    ),
  ]
}

async function isNumbered(db: Db, digits: string): Promise<RawBuilder<SqlBool>> {
  const rows = await db
    .selectFrom('upload')
    .select('id')
    .where(isNumberAmong(numbersBeginningWith(digits, MAX_DIGITS)))
    .limit(MAX_CANDIDATES + 1)
    .execute()
  return rows.length > MAX_CANDIDATES
    ? sql<SqlBool>`upload.number::text like ${`${digits}%`}`
    : sql<SqlBool>`upload.id = any(${rows.map(({ id }) => id)}::uuid[])`
}

async function isNamed(db: Db, words: readonly string[]): Promise<RawBuilder<SqlBool>> {
  const patientIds = await selectPatientIdsByName(db, words, MAX_CANDIDATES)
  if (patientIds) return sql<SqlBool>`upload.patient_id = any(${patientIds}::uuid[])`
  const named = matchName(db, words).where('pair.patient_id', '=', sql<string>`upload.patient_id`)
  return sql<SqlBool>`exists (${named.select('pair.patient_id').offset(0)})`
}

/** Of ranges, both ends included. */
const isNumberAmong = (ranges: readonly (readonly [number, number])[]) =>
  sql<SqlBool>`(${sql.join(
    [sql`false`, ...ranges.map(([from, to]) => sql`upload.number between ${from}::bigint and ${to}::bigint`)],
    sql` or `,
  )})`

/** A patient's uploads, newest first. */
export const selectUploadsOfPatient = (
  db: Db,
  scope: UploadScope,
  readerId: string,
  patientId: string,
  page: PageRequest,
) =>
  uploads(db, scope, readerId)
    .where('upload.patient_id', '=', patientId)
    .where('upload.state', '!=', 'withdrawn')
    .$call((query) =>
      keyset(
        query,
        { by: { 'upload.created_at': 'timestamptz', 'upload.id': 'uuid' }, direction: 'desc' },
        page,
      ),
    )
    .execute()

/** Uploads by whose they are or by their number; `mine`: only those that the reader began. */
export type UploadsToFind = {
  patientIds: readonly string[]
  /** From and to, both included. */
  numbers: readonly (readonly [number, number])[]
  mine: boolean
}

/** What a search finds, newest first. What answers is gathered by index, then put in order, and a page of it gets its names. */
export function selectFoundUploads(
  db: Db,
  scope: UploadScope,
  readerId: string,
  { patientIds, numbers, mine }: UploadsToFind,
  limit: number,
) {
  const found: UploadQuery = db
    .selectFrom('upload')
    .select(['upload.id', 'upload.created_at as at'])
    .where(visible(scope))
    .where(
      sql<SqlBool>`upload.id = any(array(
        select id from upload where patient_id = any(${patientIds}::uuid[]) and deleted_at is null
        union all
        select id from upload where ${isNumberAmong(numbers)}))`,
    )
    .where('upload.state', '!=', 'withdrawn')
    .$if(mine, (query) => query.where('upload.created_by', '=', readerId))
  return uploads(db, scope, readerId)
    .where(isAmongFirst([found], 'desc', limit))
    .orderBy('upload.created_at', 'desc')
    .orderBy('upload.id', 'desc')
    .execute()
}

export type InboxFilter = { unread: boolean; search: string }

/** What was released to the reader's institutions, newest first. */
export async function selectInbox(
  db: Db,
  scope: Extract<UploadScope, { kind: 'released-to' }>,
  readerId: string,
  filter: InboxFilter,
  page: PageRequest,
): Promise<UploadRow[]> {
  const mentions = await readMentions(db, filter.search)
  const ofInstitution = (institutionId: string): UploadQuery => {
    let query = db
      .selectFrom('upload')
      .select(['upload.id', 'upload.released_at as at'])
      .where('upload.deleted_at', 'is', null)
      .where('upload.state', '=', 'released')
      .where('upload.institution_id', '=', institutionId)
      .where(isReferredTo(scope.institutionIds))
    if (filter.unread) {
      query = query.where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('upload_opening')
              .whereRef('upload_opening.upload_id', '=', 'upload.id')
              .where('upload_opening.user_id', '=', readerId),
          ),
        ),
      )
    }
    for (const mentioned of mentions) query = query.where(mentioned)
    return keyset(
      query,
      { by: { 'upload.released_at': 'timestamptz', 'upload.id': 'uuid' }, direction: 'desc' },
      page,
    )
  }
  if (scope.institutionIds.length === 0) return []
  return uploads(db, scope, readerId)
    .where(isAmongFirst(scope.institutionIds.map(ofInstitution), 'desc', page.limit + 1))
    .orderBy('upload.released_at', 'desc')
    .orderBy('upload.id', 'desc')
    .execute()
}

/**
 * The one that follows in the queue, the longest waiting first; after the last one, the first. Never the same, and none
 * that the reader has accepted already and that waits for somebody else.
 */
export async function selectNextInReview(
  db: Db,
  { id, state_since }: { id: string; state_since: Date },
  readerId: string,
) {
  const waiting = db
    .selectFrom('upload')
    .select('id')
    .where('state', '=', 'in_review')
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('review')
            .whereRef('review.upload_id', '=', 'upload.id')
            .whereRef('review.first_of_version', '=', 'upload.version')
            .where('review.reviewer_id', '=', readerId),
        ),
      ),
    )
    .orderBy('state_since')
    .orderBy('id')
    .limit(1)
  const following = waiting.where(sql<SqlBool>`(state_since, id) > (${state_since}, ${id}::uuid)`)
  return (await following.executeTakeFirst()) ?? (await waiting.executeTakeFirst())
}
