import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { LIMITS } from '../../../../shared/limits.ts'
import type { InboxMark, InboxState, InboxView } from '../../../../shared/uploads/inbox.ts'
import type { Db } from '../../../platform/database/database.ts'
import { startOfDay } from '../../../platform/database/days.sql.ts'
import type { Value } from '../../../platform/database/static-query.ts'
import type { DB } from '../../../platform/database/types.generated.ts'
import { type KeysetOrder, keyset } from '../../../platform/keyset.ts'
import { isReferred } from '../released/is-referred.sql.ts'

/** What narrows an inbox beside the search and the category. */
export type InboxRange = {
  view: InboxView
  /** The first and the last day of the release in Romania, yyyy-MM-dd. */
  since: string | null
  until: string | null
  /** The name of the referring doctor, as the result has it. */
  doctor: string | null
  institutionId: string | null
  departmentId: string | null
  /** Each institution is narrowed to the reader's own department there, if they have chosen one. */
  ownDepartments: boolean
}

/** Narrows nothing. */
export const WHOLE_INBOX: InboxRange = {
  view: 'all',
  since: null,
  until: null,
  doctor: null,
  institutionId: null,
  departmentId: null,
  ownDepartments: false,
}

type UploadQuery = SelectQueryBuilder<DB, 'upload', { id: string; at: Date | null }>

/** The reader's membership in an institution: `joined_at` or `department_id`. */
const ofMember = (
  column: 'joined_at' | 'department_id',
  readerId: Value<string>,
  institutionId: Value<string>,
) =>
  sql`(select ${sql.ref(column)} from user_institution
    where user_id = ${readerId}::uuid and institution_id = ${institutionId}::uuid)`

/**
 * Whether the doctor of the result is in no other department: what belongs to no department is shown in each, so that no
 * result is overlooked. True for every result if `departmentId` is null.
 */
const isOfDepartment = (departmentId: RawBuilder<unknown>) => sql<SqlBool>`not exists (
    select from institution_doctor doctor
    where doctor.institution_id = upload.institution_id and doctor.name = upload.referring_doctor
      and doctor.department_id <> ${departmentId})`

const isDepartmentOf = (departmentId: string, institutionId: Value<string>) => sql<SqlBool>`exists (
    select from department where id = ${departmentId}::uuid and institution_id = ${institutionId}::uuid)`

/** The results of a view by their marks; a result that nobody has marked counts from the day on which the reader joined. */
const VIEWS: Record<
  Exclude<InboxView, 'all'>,
  readonly ((readerId: Value<string>, joinedAt: RawBuilder<unknown>) => RawBuilder<SqlBool>)[]
> = {
  new: [(_, joined) => sql`handled_at is null and taken_at is null and received_at >= ${joined}`],
  open: [
    (_, joined) => sql`handled_at is null and received_at >= ${joined}`,
    (_, joined) => sql`handled_at is null and taken_at is not null and received_at < ${joined}`,
  ],
  mine: [(readerId) => sql`handled_at is null and taken_at is not null and taken_by = ${readerId}::uuid`],
  handled: [() => sql`handled_at is not null`],
  older: [(_, joined) => sql`handled_at is null and taken_at is null and received_at < ${joined}`],
}

/**
 * Returns the ranges of an institution's results that the filter has, without its search and its category: each can be read
 * from an index by the time of the release, whose columns are `by`.
 */
export function inboxRanges(
  db: Db,
  readerId: Value<string>,
  institutionId: Value<string>,
  filter: InboxRange,
): { query: UploadQuery; by: KeysetOrder['by'] }[] {
  if (filter.institutionId && filter.institutionId !== institutionId) return []
  const narrow = (query: UploadQuery): UploadQuery => {
    let narrowed = query
      .where('upload.deleted_at', 'is', null)
      .where('upload.state', '=', 'released')
      .where('upload.institution_id', '=', institutionId)
      .where(isReferred)
    const { since, until, doctor, departmentId } = filter
    if (since) narrowed = narrowed.where('upload.released_at', '>=', startOfDay(since))
    if (until) narrowed = narrowed.where('upload.released_at', '<', startOfDay(until, 1))
    if (doctor) narrowed = narrowed.where('upload.referring_doctor', '=', doctor)
    if (departmentId)
      narrowed = narrowed
        .where(isDepartmentOf(departmentId, institutionId))
        .where(isOfDepartment(sql`${departmentId}::uuid`))
    else if (filter.ownDepartments)
      narrowed = narrowed.where(isOfDepartment(ofMember('department_id', readerId, institutionId)))
    return narrowed
  }
  if (filter.view === 'all')
    return [
      {
        query: narrow(db.selectFrom('upload').select(['upload.id', 'upload.released_at as at'])),
        by: { 'upload.released_at': 'timestamptz', 'upload.id': 'uuid' },
      },
    ]
  return VIEWS[filter.view].map((isInView) => ({
    query: narrow(
      db
        .selectFrom('inbox_item')
        .innerJoin('upload', 'upload.id', 'inbox_item.upload_id')
        .select(['upload.id', 'inbox_item.received_at as at'])
        .where('inbox_item.institution_id', '=', institutionId)
        .where('inbox_item.received_at', 'is not', null)
        .where(isInView(readerId, ofMember('joined_at', readerId, institutionId))) as never,
    ),
    by: { 'inbox_item.received_at': 'timestamptz', 'inbox_item.upload_id': 'uuid' },
  }))
}

/** Returns the ids of the results that `new` of `countInboxRows` counts, with when they came, the last first. */
export function selectNewResults(
  db: Db,
  readerId: string,
  institutionIds: readonly string[],
  limit: number,
): Promise<{ id: string; at: Date }[]> {
  const ranges = institutionIds.flatMap((institutionId) =>
    inboxRanges(db, readerId, institutionId, { ...WHOLE_INBOX, ownDepartments: true, view: 'new' }).map(
      ({ query, by }) => keyset(query, { by, direction: 'desc' }, { limit: limit - 1, after: null }),
    ),
  )
  if (ranges.length === 0) return Promise.resolve([])
  return sql<{ id: string; at: Date }>`
    select id, at from (${sql.join(
      ranges.map((range) => sql`(${range})`),
      sql` union all `,
    )}) as ranges
    order by at desc, id desc limit ${limit}`
    .execute(db)
    .then(({ rows }) => rows)
}

const COUNTED = ['open', 'new', 'mine', 'older'] as const
export type InboxCounts = Record<(typeof COUNTED)[number], number>

/** Counts the results of these views, of the reader's own departments, up to `LIMITS.shownCount`. */
export async function countInboxRows(
  db: Db,
  readerId: string,
  institutionIds: readonly string[],
): Promise<InboxCounts> {
  if (institutionIds.length === 0) return { open: 0, new: 0, mine: 0, older: 0 }
  const count = (view: (typeof COUNTED)[number]) => {
    const ranges = institutionIds.flatMap((id) =>
      inboxRanges(db, readerId, id, { ...WHOLE_INBOX, ownDepartments: true, view }).map(({ query }) =>
        query.limit(LIMITS.shownCount),
      ),
    )
    return sql<number>`(select count(*)::int from (
      select from (${sql.join(
        ranges.map((range) => sql`(${range})`),
        sql` union all `,
      )}) as ranges
      limit ${LIMITS.shownCount}) as counted)`
  }
  return db
    .selectNoFrom(COUNTED.map((view) => count(view).as(view)))
    .executeTakeFirstOrThrow() as Promise<InboxCounts>
}

export type FormerMark = { state: InboxState; name: string; at: string }

/** The marks of a result at its institution, and what they mean to a user who has joined it at a time. */
const MARK_COLUMNS = [
  'inbox_item.taken_by',
  'inbox_item.taken_by_name',
  'inbox_item.taken_at',
  'inbox_item.handled_by_name',
  'inbox_item.handled_at',
  sql<FormerMark[]>`inbox_item.former`.as('former'),
  sql<InboxState | null>`case when handled_at is not null then 'handled' when taken_at is not null then 'taken'
    when received_at >= joined_at then 'new' end`.as('mark'),
] as const

/** Joins the marks of each result; `has_marks`: whether there are any that the reader may see. */
export const withMarks = <Row>(results: SelectQueryBuilder<DB, 'upload', Row>, readerId: Value<string>) =>
  results
    .leftJoin('inbox_item', (on) =>
      on
        .onRef('inbox_item.upload_id', '=', 'upload.id')
        .onRef('inbox_item.institution_id', '=', 'upload.institution_id'),
    )
    .leftJoin('user_institution', (on) =>
      on
        .onRef('user_institution.institution_id', '=', 'inbox_item.institution_id')
        .on('user_institution.user_id', '=', readerId as never),
    )
    .select([...MARK_COLUMNS, sql<boolean>`user_institution.user_id is not null`.as('has_marks')])

/** Returns the marks of uploads at the institutions that have them now, with what they mean to the reader. */
export const selectInboxItems = (db: Db, requested: readonly { uploadId: string; readerId: string }[]) =>
  db
    .selectFrom('inbox_item')
    .innerJoin('upload', (on) =>
      on
        .onRef('upload.id', '=', 'inbox_item.upload_id')
        .onRef('upload.institution_id', '=', 'inbox_item.institution_id'),
    )
    .innerJoin('user_institution', 'user_institution.institution_id', 'inbox_item.institution_id')
    .select(['inbox_item.upload_id', 'user_institution.user_id', ...MARK_COLUMNS])
    .where(sql<SqlBool>`inbox_item.upload_id = any(${requested.map(({ uploadId }) => uploadId)}::uuid[])`)
    .where(
      sql<SqlBool>`user_institution.user_id = any(${[...new Set(requested.map(({ readerId }) => readerId))]}::uuid[])`,
    )
    .execute()

/** The marks of a result, which may be those of a line of an inbox. */
export type InboxItemRow = Omit<Awaited<ReturnType<typeof selectInboxItems>>[number], 'upload_id' | 'user_id'>

const MARKS: Record<
  InboxMark,
  { from: RawBuilder<SqlBool>; set: (actor: { id: string; name: string }, now: Date) => object }
> = {
  take: {
    from: sql`taken_at is null and handled_at is null`,
    set: ({ id, name }, now) => ({ taken_by: id, taken_by_name: name, taken_at: now }),
  },
  'put-back': {
    from: sql`taken_at is not null and handled_at is null`,
    set: () => ({ taken_by: null, taken_by_name: null, taken_at: null }),
  },
  handle: {
    from: sql`handled_at is null`,
    set: ({ id, name }, now) => ({ handled_by: id, handled_by_name: name, handled_at: now }),
  },
  reopen: {
    from: sql`handled_at is not null`,
    set: () => ({ handled_by: null, handled_by_name: null, handled_at: null }),
  },
}

/** Marks those of the results for which the mark means a change; of two colleagues at once, one changes each result. */
export const updateMarks = (
  db: Db,
  results: readonly { id: string; institution_id: string | null }[],
  mark: InboxMark,
  actor: { id: string; name: string },
  now: Date,
) =>
  db
    .updateTable('inbox_item')
    .set(MARKS[mark].set(actor, now))
    .where(
      sql<SqlBool>`(upload_id, institution_id) in (select * from unnest(
        ${results.map(({ id }) => id)}::uuid[], ${results.map(({ institution_id }) => institution_id)}::uuid[]))`,
    )
    .where('received_at', 'is not', null)
    .where(MARKS[mark].from)
    .returning(['upload_id', 'institution_id'])
    .execute()
