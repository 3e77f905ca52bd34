import { type ExpressionBuilder, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../shared/limits.ts'
import type { InboxView } from '../../../shared/uploads/inbox.ts'
import type { TurnaroundStep, UploadSender, UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { Db } from '../../platform/database/database.ts'
import { startOfDay } from '../../platform/database/days.sql.ts'
import { type Placeholders, staticQueries, type Value } from '../../platform/database/static-query.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { type KeysetRows, keyset, keysetRows, type PageRequest } from '../../platform/keyset.ts'
import { type InboxRange, inboxRanges, WHOLE_INBOX, withMarks } from './inbox/inbox.db.ts'
import { searchConditions } from './search/upload-search.db.ts'
import type { UploadSearch } from './search/upload-search.ts'
import { isLate } from './turnaround/turnaround.sql.ts'
import type { UploadScope } from './uploads.access.ts'
import {
  LINE_COLUMNS,
  openedBy,
  type Shown,
  type UploadRow,
  uploadLines,
  uploads,
  visible,
} from './uploads.db.ts'

export type UploadFilter = {
  states: readonly UploadState[]
  /** Slugs, each with its subcategories; empty: every category. */
  categories: readonly string[]
  institutionId: string | null
  mine: boolean
  /** With `mine` also those that a program has sent and no person has filed, in the states in which any staff may mend them. */
  unowned?: boolean
  /** The first day on which the upload may have entered its state, yyyy-MM-dd in Romania. */
  since: string | null
  /** The last such day. */
  until: string | null
  /** Only uploads that no user of the institution has opened. */
  unopened: boolean
  sender: UploadSender | null
  /** Only released uploads whose step took longer, or waits longer, than so many hours. */
  late: { step: TurnaroundStep; hours: number; now: Date } | null
  search: UploadSearch | null
  /** By the time at which the upload entered its state. */
  order: Order
}

/** Narrows nothing. */
export const EVERYTHING = {
  categories: [],
  institutionId: null,
  since: null,
  until: null,
  unopened: false,
  sender: null,
  late: null,
  search: null,
  order: 'desc',
} as const

/**
 * Whether the upload is no group of a batch, or was filed: the groups, of which there may be a thousand, are in the list of
 * their batch alone.
 */
const isListed = sql<SqlBool>`(upload.batch_id is null or upload.filed_at is not null)`

type UploadQuery = SelectQueryBuilder<DB, 'upload', { id: string; at: Date | null }>
type Order = 'asc' | 'desc'

/**
 * Whether an upload is among the first of these ranges. Each range is read from an index in the order of the
 * result, up to one page, where one query over all of them would be read whole and sorted. The list's joins
 * are made for one page only.
 */
const isAmongFirst = (ranges: readonly UploadQuery[], order: Order, limit: number) =>
  sql<SqlBool>`upload.id = any(array(
    select id from (${sql.join(ranges, sql` union all `)}) as range
    order by at ${sql.raw(order)}, id ${sql.raw(order)} limit ${limit}))`

/** Selects the lines of these uploads in their order; each is read once. */
function firstLines(
  db: Db,
  scope: UploadScope,
  ranges: readonly UploadQuery[],
  order: Order,
  { rows }: KeysetRows,
) {
  const [only, ...others] = ranges.map((range) => range.select(LINE_COLUMNS))
  const page =
    others.length === 0
      ? sql`(${only})`
      : sql`(select * from (${sql.join([only, ...others], sql` union all `)}) as range
          order by at ${sql.raw(order)}, id ${sql.raw(order)} limit ${rows})`
  return uploadLines(db, scope, page).orderBy(sql.ref('upload.at'), order).orderBy('upload.id', order)
}

type LineValues = { readerId: string; institutionIds: readonly string[]; at: string; id: string }

/** Returns how many lines are read for a page of so many: one of two numbers, since each is a statement of its own. */
const linesFor = (rows: number): number =>
  1 + (rows <= LIMITS.pageSize + 1 ? LIMITS.pageSize : LIMITS.pageSizeMax)

/** Returns the part of a page of lines whose cursor is filled in; its size is text, so that the planner joins few rows. */
const pageOf = (place: 'first' | 'later', rows: number, slot: Placeholders<LineValues>): KeysetRows => ({
  rows: sql.lit(rows) as never,
  after: place === 'first' ? null : [slot('at'), slot('id')],
})

/** Whether the upload waits for its batch of a move to this category or a subcategory. */
const stillMovesTo = (slug: string) => sql<SqlBool>`upload.category_slug = any(array(
    select old_slug from category_slug_change where moving and (new_slug = ${slug} or new_slug like ${`${slug}::%`})))`

/** Whether the upload has one of these slugs or one below it. */
const isInCategories = (slugs: readonly string[]) => (eb: ExpressionBuilder<DB, 'upload'>) =>
  eb.or(
    slugs.flatMap((slug) => [
      eb('upload.category_slug', '=', slug),
      eb('upload.category_slug', 'like', `${slug}::%`),
      stillMovesTo(slug),
    ]),
  )

const SENT_BY: Readonly<Record<UploadSender, RawBuilder<SqlBool>>> = {
  staff: sql`upload.sender_institution_id is null and upload.integration_id is null`,
  institution: sql`upload.sender_institution_id is not null`,
  integration: sql`upload.integration_id is not null`,
}

/** Returns the conditions of a filter, for its uploads in one state; with `mine` those of one author. */
function filterConditions(db: Db, scope: UploadScope, filter: UploadFilter) {
  const conditions = searchConditions(filter.search)
  return (state: UploadState, authorId: string | null): UploadQuery => {
    let query = db
      .selectFrom('upload')
      .select(['upload.id', 'upload.state_since as at'])
      .where(visible(scope))
      .where('upload.state', '=', state)
    if (state === 'receiving' || state === 'withdrawn') query = query.where(isListed)
    if (filter.categories.length > 0) query = query.where(isInCategories(filter.categories))
    if (filter.institutionId) query = query.where('upload.institution_id', '=', filter.institutionId)
    if (filter.mine) query = query.where('upload.created_by', authorId === null ? 'is' : '=', authorId)
    if (filter.since) query = query.where('upload.state_since', '>=', startOfDay(filter.since))
    if (filter.until) query = query.where('upload.state_since', '<', startOfDay(filter.until, 1))
    if (filter.sender) query = query.where(SENT_BY[filter.sender])
    if (filter.late) {
      const { step, hours, now } = filter.late
      query = query.where('upload.state', '=', 'released').where(isLate(step, hours, now))
    }
    if (filter.unopened) query = query.where('upload.first_opened_at', 'is', null)
    for (const condition of conditions) query = query.where(condition)
    return query
  }
}

/** Selects the released uploads that match the filter, without its order. */
export const releasedUploads = (db: Db, scope: UploadScope, filter: UploadFilter) =>
  filterConditions(db, scope, filter)('released', null).clearSelect()

/** Returns the parts of a page of the queue, each of which one index has in its order. */
function queueRanges(
  db: Db,
  scope: UploadScope,
  readerId: string,
  filter: UploadFilter,
  page: KeysetRows,
): UploadQuery[] {
  const inState = filterConditions(db, scope, filter)
  const authorsOf = (state: UploadState) =>
    filter.mine && filter.unowned && state === 'rejected' ? [readerId, null] : [readerId]
  return [...new Set(filter.states)].flatMap((state) =>
    authorsOf(state).map((authorId) =>
      keysetRows(
        inState(state, authorId),
        { by: { 'upload.state_since': 'timestamptz', 'upload.id': 'uuid' }, direction: filter.order },
        page,
      ),
    ),
  )
}

/** The lines of the queue in one state, without a further filter. */
const queueLines = staticQueries(
  (shape: `${'first' | 'later'} ${UploadScope['kind']} ${UploadState} ${Order} ${number}`) =>
    (db: Db, slot: Placeholders<LineValues>) => {
      const [place, kind, state, order, rows] = shape.split(' ') as [
        'first' | 'later',
        UploadScope['kind'],
        UploadState,
        Order,
        string,
      ]
      // The values of the scope are filled in by each reader.
      const scope = { kind, userId: slot('readerId'), institutionIds: slot('institutionIds') } as never
      const page = pageOf(place, Number(rows), slot)
      const filter = { ...EVERYTHING, states: [state], mine: false, order }
      return firstLines(db, scope, queueRanges(db, scope, '', filter, page), order, page)
    },
)

/** Whether the parts of a filter are off, null or empty. */
const isNothing = (parts: object): boolean =>
  Object.values(parts).every((value) => !value || value.length === 0)

/** Whether the filter has one state and nothing else. */
const isState = ({ states, order: _, ...others }: UploadFilter): boolean =>
  states.length === 1 && isNothing(others)

/** Returns one page of the uploads that match the filter, in its order; lines where the filter is a state. */
export async function selectQueue(
  db: Db,
  scope: UploadScope,
  readerId: string,
  filter: UploadFilter,
  page: PageRequest,
  shown: Shown = 'whole',
): Promise<UploadRow[]> {
  const { order } = filter
  const rows = page.limit + 1
  if (shown === 'line' && isState(filter)) {
    const [at = '', id = ''] = page.after ?? []
    const run = queueLines(
      `${page.after ? 'later' : 'first'} ${scope.kind} ${filter.states[0]!} ${order} ${linesFor(rows)}`,
    )
    return (await run(db, { readerId, institutionIds: [], at, id })).slice(0, rows) as never
  }
  const ranges = queueRanges(db, scope, readerId, filter, { rows, after: page.after })
  return uploads(db, scope, readerId)
    .where(isAmongFirst(ranges, order, rows))
    .orderBy('upload.state_since', order)
    .orderBy('upload.id', order)
    .execute()
}

/** Returns the ids and numbers of all uploads that match the filter, at most `limit`, in no order. */
export async function selectFiltered(
  db: Db,
  scope: UploadScope,
  readerId: string,
  filter: UploadFilter,
  limit: number,
): Promise<UploadNumber[]> {
  const inState = filterConditions(db, scope, filter)
  const found: UploadNumber[] = []
  for (const state of new Set(filter.states)) {
    const rows = await inState(state, readerId)
      .select('upload.number')
      .limit(limit - found.length)
      .execute()
    found.push(...rows.map(({ id, number }) => ({ id, number })))
    if (found.length === limit) break
  }
  return found
}

export type UploadNumber = { id: string; number: number }

/** Returns those of the uploads with these ids or numbers that are visible. */
export const selectUploadNumbers = (
  db: Db,
  scope: UploadScope,
  named: { ids: readonly string[] } | { numbers: readonly number[] },
): Promise<UploadNumber[]> =>
  db
    .selectFrom('upload')
    .select(['upload.id', 'upload.number'])
    .where(visible(scope))
    .where(
      'ids' in named
        ? sql<SqlBool>`upload.id = any(${named.ids}::uuid[])`
        : sql<SqlBool>`upload.number = any(${named.numbers}::bigint[])`,
    )
    .execute()

type OfPatientValues = {
  readerId: string
  institutionIds: readonly string[]
  patientId: string
  createdAt: string
  id: string
  rows: number
}

const uploadsOfPatient = staticQueries(
  (shape: `${'first' | 'later'} ${UploadScope['kind']}`) => (db: Db, slot: Placeholders<OfPatientValues>) => {
    const [place, kind] = shape.split(' ')
    // The values of the scope are filled in by each reader.
    const scope = { kind, userId: slot('readerId'), institutionIds: slot('institutionIds') } as never
    return keysetRows(
      uploads(db, scope, slot('readerId'))
        .where('upload.patient_id', '=', slot('patientId'))
        .where('upload.state', '!=', 'withdrawn'),
      { by: { 'upload.created_at': 'timestamptz', 'upload.id': 'uuid' }, direction: 'desc' },
      { rows: slot('rows'), after: place === 'first' ? null : [slot('createdAt'), slot('id')] },
    )
  },
)

/** Returns the patient's uploads, newest first; the scope is the reader's. */
export function selectUploadsOfPatient(
  db: Db,
  scope: UploadScope,
  readerId: string,
  patientId: string,
  { limit, after }: PageRequest,
): Promise<UploadRow[]> {
  const institutionIds = 'institutionIds' in scope ? scope.institutionIds : []
  const [createdAt = '', id = ''] = after ?? []
  const run = uploadsOfPatient(`${after ? 'later' : 'first'} ${scope.kind}`)
  return run(db, { readerId, institutionIds, patientId, createdAt, id, rows: limit + 1 })
}

/** Returns the newest matching uploads of a search; none of them is withdrawn. */
export function selectFoundUploads(
  db: Db,
  scope: UploadScope,
  readerId: string,
  search: UploadSearch,
  limit: number,
) {
  let found: UploadQuery = db
    .selectFrom('upload')
    .select(['upload.id', 'upload.created_at as at'])
    .where(visible(scope))
    .where('upload.state', '!=', 'withdrawn')
  for (const condition of searchConditions(search)) found = found.where(condition)
  const newest = keyset(
    found,
    { by: { 'upload.created_at': 'timestamptz', 'upload.id': 'uuid' }, direction: 'desc' },
    { limit: limit - 1, after: null },
  )
  return uploads(db, scope, readerId)
    .where(isAmongFirst([newest], 'desc', limit))
    .orderBy('upload.created_at', 'desc')
    .orderBy('upload.id', 'desc')
    .execute()
}

export type InboxFilter = InboxRange & { categories: readonly string[]; search: UploadSearch | null }

/** Returns the parts of a page of an inbox, each of which one index has in its order. */
const inboxPage = (
  db: Db,
  readerId: Value<string>,
  institutionIds: readonly Value<string>[],
  filter: InboxFilter,
  page: KeysetRows,
): UploadQuery[] => {
  const conditions = searchConditions(filter.search)
  return institutionIds
    .flatMap((institutionId) => inboxRanges(db, readerId, institutionId, filter))
    .map(({ query, by }) => {
      let range = query
      if (filter.categories.length > 0) range = range.where(isInCategories(filter.categories))
      for (const condition of conditions) range = range.where(condition)
      return keysetRows(range, { by, direction: 'desc' }, page)
    })
}

/** The lines of a view of the inbox of so many institutions, without a further filter. */
const inboxLines = staticQueries(
  (shape: `${'first' | 'later'} ${InboxView} ${'own' | 'all'} ${number} ${number}`) =>
    (db: Db, slot: Placeholders<LineValues>) => {
      const [place, view, departments, count, rows] = shape.split(' ') as [
        'first' | 'later',
        InboxView,
        'own' | 'all',
        string,
        string,
      ]
      const scope = { kind: 'released-to', institutionIds: [] } as const
      const filter = {
        ...WHOLE_INBOX,
        view,
        ownDepartments: departments === 'own',
        categories: [],
        search: null,
      }
      const institutionIds = Array.from(
        { length: Number(count) },
        (_, at) => sql<string>`(${slot('institutionIds')}::uuid[])[${sql.lit(at + 1)}]`,
      )
      const page = pageOf(place, Number(rows), slot)
      const ranges = inboxPage(db, slot('readerId'), institutionIds, filter, page)
      return withMarks(
        firstLines(db, scope, ranges, 'desc', page).select(openedBy(slot('readerId'))),
        slot('readerId'),
      )
    },
)

/** Whether the filter has a view, perhaps of the reader's own departments, and nothing else. */
const isView = ({ view: _, ownDepartments: __, ...others }: InboxFilter): boolean => isNothing(others)

/** Returns the uploads released to the reader's institutions, newest first; lines, with their marks, of a view. */
export async function selectInbox(
  db: Db,
  { kind, institutionIds }: Extract<UploadScope, { kind: 'released-to' }>,
  readerId: string,
  filter: InboxFilter,
  page: PageRequest,
  shown: Shown = 'whole',
): Promise<UploadRow[]> {
  const rows = page.limit + 1
  if (shown === 'line' && isView(filter) && institutionIds.length > 0) {
    const [at = '', id = ''] = page.after ?? []
    const departments = filter.ownDepartments ? 'own' : 'all'
    const run = inboxLines(
      `${page.after ? 'later' : 'first'} ${filter.view} ${departments} ${institutionIds.length} ${linesFor(rows)}`,
    )
    return (await run(db, { readerId, institutionIds, at, id })).slice(0, rows) as never
  }
  const ranges = inboxPage(db, readerId, institutionIds, filter, { rows, after: page.after })
  if (ranges.length === 0) return []
  return uploads(db, { kind, institutionIds }, readerId)
    .where(isAmongFirst(ranges, 'desc', rows))
    .orderBy('upload.released_at', 'desc')
    .orderBy('upload.id', 'desc')
    .execute()
}

/**
 * Returns the upload that follows in the queue, longest waiting first; after the last one, the first. Skips
 * the given upload, those that wait for a second reviewer after the reader's own acceptance and, unless
 * `mayAcceptOwn`, those that the reader filed.
 */
export async function selectNextInReview(
  db: Db,
  { id, state_since }: { id: string; state_since: Date },
  { id: readerId, mayAcceptOwn }: { id: string; mayAcceptOwn: boolean },
) {
  const waiting = db
    .selectFrom('upload')
    .select('id')
    .where('state', '=', 'in_review')
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .$if(!mayAcceptOwn, (query) => query.where('created_by', 'is distinct from', readerId))
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
