import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { DB } from '../../../db/types.generated.ts'
import { queryWords } from '../../../shared/names.ts'
import type { UploadState } from '../../../shared/upload-states.ts'
import type { PageRequest } from '../../graphql/connections.ts'
import type { Db } from '../../platform/database.ts'
import { hasWord, MOST_WORDS, matchName, selectPatientIdsByName } from '../patients/patients.db.ts'
import { MOST_DIGITS, numbersBeginningWith } from './upload-numbers.ts'
import type { UploadScope } from './uploads.access.ts'

/** The uploads that an actor may see, as a condition that every query carries. */
const visible = (scope: UploadScope) => (eb: ExpressionBuilder<DB, 'upload'>) => {
  const live = eb('upload.deleted_at', 'is', null)
  if (scope.kind === 'all') return live
  if (scope.kind === 'staff') {
    return eb.and([
      live,
      eb.or([eb('upload.patient_id', 'is not', null), eb('upload.created_by', '=', scope.userId)]),
    ])
  }
  return eb.and([
    live,
    eb('upload.state', '=', 'released'),
    sql<SqlBool>`upload.institution_id = any(${scope.institutionIds}::uuid[])`,
    isReferredTo(scope.institutionIds),
  ])
}

/**
 * Nearly always true, which the planner cannot know: with `offset 0` it looks for the one patient's referral rather than
 * gather those of an institution.
 */
const isReferredTo = (institutionIds: readonly string[]) =>
  sql<SqlBool>`exists (
    select from referral where referral.patient_id = upload.patient_id
      and referral.institution_id = any(${institutionIds}::uuid[]) offset 0)`

/** An upload with the names that every list and page shows beside it: one statement, however many rows. */
const uploads = (db: Db, scope: UploadScope, readerId: string | null) =>
  db
    .selectFrom('upload')
    .leftJoin('patient', 'patient.id', 'upload.patient_id')
    .leftJoin('institution', 'institution.id', 'upload.institution_id')
    .leftJoin('category', 'category.slug', 'upload.category_slug')
    .innerJoin('app_user as author', 'author.id', 'upload.created_by')
    // The first of two acceptances, as long as it stands: the upload has not changed since.
    .leftJoin('review as first', (on) =>
      on.onRef('first.upload_id', '=', 'upload.id').onRef('first.first_of_version', '=', 'upload.version'),
    )
    .leftJoin('app_user as first_reviewer', 'first_reviewer.id', 'first.reviewer_id')
    .selectAll('upload')
    .select((eb) => [
      'patient.surname as patient_surname',
      'patient.given_names as patient_given_names',
      'patient.cnp as patient_cnp',
      'patient.birth_date as patient_birth_date',
      'patient.sex as patient_sex',
      'patient.number as patient_number',
      sql<string | null>`coalesce(institution.short_name, institution.name)`.as('institution_name'),
      sql<boolean>`institution.suspended_at is not null`.as('institution_suspended'),
      'category.name as category_name',
      'category.icon as category_icon',
      'category.color as category_color',
      'category.review_required as category_review_required',
      'category.reviewers as category_reviewers',
      'category.release as category_release',
      'category.release_hours as category_release_hours',
      'first.reviewer_id as first_reviewer_id',
      'first.created_at as first_accepted_at',
      'first_reviewer.name as first_reviewer_name',
      'author.name as author_name',
      eb
        .selectFrom('file')
        .whereRef('file.upload_id', '=', 'upload.id')
        .where('file.removed_at', 'is', null)
        .select((count) => count.fn.countAll<number>().as('count'))
        .as('file_count'),
      eb
        .selectFrom('upload_opening')
        .whereRef('upload_opening.upload_id', '=', 'upload.id')
        .where('upload_opening.user_id', '=', readerId)
        .select('upload_opening.opened_at')
        .as('opened_at'),
    ])
    .where(visible(scope) as never)

export type UploadRow = NonNullable<Awaited<ReturnType<typeof selectUpload>>>

export const selectUpload = (db: Db, scope: UploadScope, id: string, readerId: string | null) =>
  uploads(db, scope, readerId).where('upload.id', '=', id).executeTakeFirst()

/** The row alone, locked until the transaction ends: whoever moves it along decides alone. */
export const lockUpload = (db: Db, id: string) =>
  db.selectFrom('upload').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export type UploadFilter = {
  states: readonly UploadState[]
  /** Slugs, each with all that stands under it; none: every upload. */
  categories: readonly string[]
  institutionId: string | null
  mine: boolean
  search: string
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

/** What waits, the longest waiting first. */
export async function selectQueue(
  db: Db,
  scope: UploadScope,
  readerId: string,
  filter: UploadFilter,
  { limit, after }: PageRequest,
) {
  const mentions = await readMentions(db, filter.search)
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
    for (const mentioned of mentions) query = query.where(mentioned)
    return query
      .$if(after !== null, (q) =>
        q.where(
          sql<SqlBool>`(upload.state_since, upload.id) > (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
        ),
      )
      .orderBy('upload.state_since')
      .orderBy('upload.id')
      .limit(limit + 1)
  }
  return uploads(db, scope, readerId)
    .where(isAmongFirst([...new Set(filter.states)].map(inState), 'asc', limit + 1))
    .orderBy('upload.state_since')
    .orderBy('upload.id')
    .execute()
}

/** So many patients, or uploads, are gathered first; of what is more frequent the list is read until a page is full. */
const MOST_GATHERED = 2_000

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
    .where(isNumberAmong(numbersBeginningWith(digits, MOST_DIGITS)))
    .limit(MOST_GATHERED + 1)
    .execute()
  return rows.length > MOST_GATHERED
    ? sql<SqlBool>`upload.number::text like ${`${digits}%`}`
    : sql<SqlBool>`upload.id = any(${rows.map(({ id }) => id)}::uuid[])`
}

async function isNamed(db: Db, words: readonly string[]): Promise<RawBuilder<SqlBool>> {
  const patientIds = await selectPatientIdsByName(db, words, MOST_GATHERED)
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
  { limit, after }: PageRequest,
) =>
  uploads(db, scope, readerId)
    .where('upload.patient_id', '=', patientId)
    .where('upload.state', '!=', 'withdrawn')
    .$if(after !== null, (q) =>
      q.where(
        sql<SqlBool>`(upload.created_at, upload.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
      ),
    )
    .orderBy('upload.created_at', 'desc')
    .orderBy('upload.id', 'desc')
    .limit(limit + 1)
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
  { limit, after }: PageRequest,
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
    return query
      .$if(after !== null, (q) =>
        q.where(
          sql<SqlBool>`(upload.released_at, upload.id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`,
        ),
      )
      .orderBy('upload.released_at', 'desc')
      .orderBy('upload.id', 'desc')
      .limit(limit + 1)
  }
  if (scope.institutionIds.length === 0) return []
  return uploads(db, scope, readerId)
    .where(isAmongFirst(scope.institutionIds.map(ofInstitution), 'desc', limit + 1))
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

/** All of a file but its text, which is long and which only the cross-check reads. */
export const FILE_COLUMNS = [
  'id',
  'upload_id',
  'position',
  'name',
  'type',
  'kind',
  'size',
  'sha256',
  'storage_key',
  'page_count',
  'facts',
  'scan_result',
  'created_at',
] as const

export const selectFiles = (db: Db, uploadId: string) => selectFilesOf(db, [uploadId])

/** Of several uploads. */
export const selectFilesOf = (db: Db, uploadIds: readonly string[]) =>
  db
    .selectFrom('file')
    .select(FILE_COLUMNS)
    .where(sql<SqlBool>`upload_id = any(${uploadIds}::uuid[])`)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()

export const selectFileTexts = (db: Db, uploadId: string) =>
  db
    .selectFrom('file')
    .select(['id', 'name', 'content_text', 'scan_result', 'facts'])
    .where('upload_id', '=', uploadId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .execute()

export type FileRow = Awaited<ReturnType<typeof selectFiles>>[number]

export const insertUpload = (
  db: Db,
  upload: {
    id: string
    patient_id: string | null
    institution_id: string | null
    category_slug: string | null
    title: string
    examined_on: string | null
    accession_number: string | null
    referring_doctor: string | null
    note: string | null
    created_by: string
  },
) =>
  db
    .insertInto('upload')
    .values({ ...upload, source: 'staff', state: 'receiving' })
    .execute()

/** Moves an upload that the transaction holds locked. When it is to be released is of the state it leaves. */
export const updateUploadState = (db: Db, id: string, state: UploadState, now: Date) =>
  db
    .updateTable('upload')
    .set((eb) => ({
      state,
      state_since: now,
      release_at: null,
      ...(state === 'released' ? { released_at: now } : {}),
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute()

/** When an accepted upload, which the transaction holds locked, is to be released by itself. */
export const updateReleaseAt = (db: Db, id: string, releaseAt: Date) =>
  db.updateTable('upload').set({ release_at: releaseAt }).where('id', '=', id).execute()

/** Something of an upload, which the transaction holds locked, has changed that does not stand in its row. */
export const updateUploadVersion = (db: Db, id: string, now: Date) =>
  db
    .updateTable('upload')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Undefined where the version is no longer the stored one. */
export const updateUploadFacts = (
  db: Db,
  id: string,
  version: number,
  now: Date,
  values: {
    patient_id: string | null
    institution_id: string | null
    category_slug: string | null
    title: string
    examined_on: string | null
    accession_number: string | null
    referring_doctor: string | null
    note: string | null
  },
) =>
  db
    .updateTable('upload')
    .set({ ...values, updated_at: now, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst()

export const upsertOpening = (db: Db, uploadId: string, userId: string, now: Date, downloaded: boolean) =>
  db
    .insertInto('upload_opening')
    .values({ upload_id: uploadId, user_id: userId, opened_at: now, downloaded_at: downloaded ? now : null })
    .onConflict((on) =>
      downloaded
        ? on.columns(['upload_id', 'user_id']).doUpdateSet({ downloaded_at: now })
        : on.columns(['upload_id', 'user_id']).doNothing(),
    )
    .execute()

export const categoryExists = async (db: Db, slug: string): Promise<boolean> =>
  (await db.selectFrom('category').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined

/** What keeps an upload from being handed in: files still under way; and how many arrived. */
export const countReceived = (db: Db, uploadId: string) =>
  db
    .selectFrom('transfer')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('state', '=', 'receiving').as('unfinished'),
      eb.fn.countAll<number>().filterWhere('state', '=', 'finished').as('finished'),
    ])
    .where('upload_id', '=', uploadId)
    .executeTakeFirstOrThrow()

/** The files of uploads that are still under way, of those who alone may go on with them; whose each is, its row says. */
export const selectUnfinishedTransfers = (db: Db, asked: readonly { uploadId: string; userId: string }[]) =>
  db
    .selectFrom('transfer')
    .select(['id', 'upload_id', 'user_id', 'name', 'size', 'received', 'sha256'])
    .where(sql<SqlBool>`upload_id = any(${asked.map(({ uploadId }) => uploadId)}::uuid[])`)
    .where(sql<SqlBool>`user_id = any(${[...new Set(asked.map(({ userId }) => userId))]}::uuid[])`)
    .where('state', '=', 'receiving')
    .orderBy('created_at')
    .execute()

export type TransferRow = Awaited<ReturnType<typeof selectUnfinishedTransfers>>[number]

/** Handed in before then, and not looked at yet. */
export const selectUncheckedSince = (db: Db, before: Date) =>
  db
    .selectFrom('upload')
    .select('id')
    .where('state', '=', 'checking')
    .where('state_since', '<=', before)
    .execute()
