import { LIMITS } from '../../../shared/limits.ts'
import { dayBefore, dayInRomania } from '../../../shared/romania/day.ts'
import type { InboxView } from '../../../shared/uploads/inbox.ts'
import { LATE_DAYS_MAX, TARGET_SETTINGS } from '../../../shared/uploads/turnaround.ts'
import type { TurnaroundStep, UploadSender, UploadState } from '../../../shared/uploads/upload-state-list.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, readSearch, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import type { PageRequest } from '../../platform/keyset.ts'
import { optionalPastDay, parseInput } from '../../validation.ts'
import { describeSearch } from '../audit/describe-search.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { resolveCategorySlug } from '../categories/find-category.ts'
import type { RowReason } from '../patients/search/search-reason.ts'
import { findSite } from '../site/find-site.ts'
import { WHOLE_INBOX } from './inbox/inbox.db.ts'
import { readUploadSearch } from './search/read-upload-search.ts'
import { listUploadReasons } from './search/search-reason.ts'
import {
  EVERYTHING,
  selectFiltered,
  selectFoundUploads,
  selectInbox,
  selectNextInReview,
  selectQueue,
  selectUploadNumbers,
  selectUploadsOfPatient,
  type UploadNumber,
} from './upload-lists.db.ts'
import { canReadFiles, canReview, uploadScope } from './uploads.access.ts'
import type { Shown, UploadRow } from './uploads.db.ts'

/** `reasons`: why rows were found, of a list with a search. */
export type UploadList = Page<UploadRow> & { reasons: RowReason[] }

export type QueueArgs = PageArgs & {
  states?: readonly UploadState[] | null | undefined
  category?: string | null | undefined
  institutionId?: string | null | undefined
  mine?: boolean | null | undefined
  since?: string | null | undefined
  until?: string | null | undefined
  unopened?: boolean | null | undefined
  sender?: UploadSender | null | undefined
  late?: TurnaroundStep | null | undefined
  search?: string | null | undefined
}

const sinceDay = optionalPastDay('Prima zi')
const untilDay = optionalPastDay('Ultima zi')

/** States in which an upload waits for its next step. */
const WAITING: ReadonlySet<string> = new Set([
  'receiving',
  'checking',
  'unassigned',
  'in_review',
  'accepted',
] satisfies UploadState[])

/**
 * Returns the uploads in the given states, or in review if none is given. The longest waiting come first; if
 * one of the states is not a waiting state, the newest. `since`: only uploads that entered their state on
 * this day in Romania (yyyy-MM-dd) or later, `until`: or before; `unopened`: only uploads that no institution has
 * opened; `sender`: only uploads whose files these have sent; `late`: only released uploads whose step took longer than
 * its target, of the last LATE_DAYS_MAX days where `since` is not given. They may have only what is `shown`.
 */
export const listQueue = (ctx: UserCtx, args: QueueArgs, shown: Shown = 'whole'): Promise<UploadList> =>
  listByState(ctx, args, orderOf(args), shown)

const orderOf = (args: QueueArgs): 'asc' | 'desc' =>
  statesOf(args).every((state) => WAITING.has(state)) ? 'asc' : 'desc'

/** Returns what reads the pages of the queue with this filter, and one row more; writes no audit row. */
export async function openQueue(ctx: UserCtx, args: Omit<QueueArgs, keyof PageArgs>) {
  const filter = await readFilter(ctx, args, orderOf(args))
  const select = (page: PageRequest): Promise<UploadRow[]> =>
    selectQueue(ctx.db, uploadScope(ctx.actor), ctx.actor.id, filter, page)
  return { select, keysOf: queueKeys }
}

const queueKeys = ({ state_since, id }: UploadRow): [string, string] => [state_since.toISOString(), id]

/**
 * Returns the actor's own uploads in the given states, the newest first, so that a mark on a new one is seen; with them rejected
 * ones that a program has sent and no person has filed.
 */
export const listOwnUploads = (
  ctx: UserCtx,
  args: PageArgs & { states: readonly UploadState[] },
): Promise<UploadList> => listByState(ctx, { ...args, mine: true, unowned: true }, 'desc')

/**
 * Returns the newest of the uploads that `listOwnUploads` returns in the given states, without an audit row, for notices that
 * name no patient and no content.
 */
export const findOwnUploads = (
  { db, actor }: UserCtx,
  states: readonly UploadState[],
  limit: number,
): Promise<UploadRow[]> =>
  selectQueue(
    db,
    uploadScope(actor),
    actor.id,
    { ...EVERYTHING, states, mine: true, unowned: true },
    { limit, after: null },
  )

const statesOf = ({ states }: QueueArgs): readonly UploadState[] => (states?.length ? states : ['in_review'])

const readFilter = async (
  ctx: UserCtx,
  args: QueueArgs,
  order: 'asc' | 'desc',
  accuracy: 'exact' | 'near' = 'near',
) => ({
  states: statesOf(args),
  categories: await findCategories(ctx, args.category),
  institutionId: args.institutionId ?? null,
  mine: args.mine ?? false,
  since:
    parseInput(sinceDay, args.since) ??
    (args.late ? dayBefore(dayInRomania(ctx.now), LATE_DAYS_MAX - 1) : null),
  until: parseInput(untilDay, args.until),
  unopened: args.unopened ?? false,
  sender: args.sender ?? null,
  late: args.late
    ? { step: args.late, hours: (await findSite(ctx.db))[TARGET_SETTINGS[args.late]], now: ctx.now }
    : null,
  search: await readUploadSearch(ctx, readSearch(args.search), accuracy),
  order,
})

/** Returns the filter of the released uploads since a day (yyyy-MM-dd), as the queue reads it. */
export const readReleasedFilter = (
  ctx: UserCtx,
  args: Pick<QueueArgs, 'since' | 'category' | 'institutionId'>,
) => readFilter(ctx, { ...args, states: ['released'] }, 'desc')

/**
 * Returns all uploads of the queue with this filter, at most `limit`, in no order; none by a near name, since they are
 * changed without a look at each. Writes no audit row. An actor who may not read the queue gets their own uploads alone.
 */
export async function findFilteredUploads(
  ctx: UserCtx,
  args: Omit<QueueArgs, keyof PageArgs>,
  limit: number,
): Promise<UploadNumber[]> {
  if (args.institutionId && !isId(args.institutionId)) return []
  const mine = !canReview(ctx.actor) || (args.mine ?? false)
  const filter = await readFilter(ctx, { ...args, mine }, 'asc', 'exact')
  return selectFiltered(ctx.db, uploadScope(ctx.actor), ctx.actor.id, filter, limit)
}

/** Returns those of the uploads with these ids or numbers that the actor may read. Writes no audit row. */
export const findUploadNumbers = (
  { db, actor }: UserCtx,
  named: Parameters<typeof selectUploadNumbers>[2],
): Promise<UploadNumber[]> => selectUploadNumbers(db, uploadScope(actor), named)

async function listByState(
  ctx: UserCtx,
  { unowned = false, ...args }: QueueArgs & { unowned?: boolean },
  order: 'asc' | 'desc',
  shown: Shown = 'whole',
): Promise<UploadList> {
  if (args.institutionId && !isId(args.institutionId)) return { nodes: [], endCursor: null, reasons: [] }
  const request = parsePage(args)
  const filter = { ...(await readFilter(ctx, args, order)), unowned }
  const rows = await selectQueue(ctx.db, uploadScope(ctx.actor), ctx.actor.id, filter, request, shown)
  return withDetails(ctx, toPage(rows, request, queueKeys), readSearch(args.search))
}

/** Includes a slug that is no longer in the list: some of its uploads may not have moved to its successor. */
const findCategories = async (ctx: UserCtx, slug: string | null | undefined): Promise<string[]> =>
  slug ? [...new Set([slug, await resolveCategorySlug(ctx, slug)])] : []

/** Returns the patient's uploads that the actor may read, newest first. */
export async function listUploadsOfPatient(
  ctx: UserCtx,
  patientId: string,
  args: PageArgs,
): Promise<UploadList> {
  const request = parsePage(args)
  const rows = await selectUploadsOfPatient(ctx.db, uploadScope(ctx.actor), ctx.actor.id, patientId, request)
  return withDetails(
    ctx,
    toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id]),
  )
}

type InboxArgs = PageArgs & {
  view?: InboxView | null | undefined
  since?: string | null | undefined
  until?: string | null | undefined
  category?: string | null | undefined
  doctor?: string | null | undefined
  institutionId?: string | null | undefined
  departmentId?: string | null | undefined
  ownDepartments?: boolean | null | undefined
  search?: string | null | undefined
}

/** Returns the results released to the actor's institutions, newest first. They may have only what is `shown`. */
export async function listInbox(ctx: UserCtx, args: InboxArgs, shown: Shown = 'whole'): Promise<UploadList> {
  const scope = uploadScope(ctx.actor)
  if (scope.kind !== 'released-to') throw forbidden('read inbox')
  const { institutionId = null, departmentId = null } = args
  if ([institutionId, departmentId].some((id) => id && !isId(id)))
    return { nodes: [], endCursor: null, reasons: [] }
  const request = parsePage(args)
  const search = readSearch(args.search)
  const filter = {
    view: args.view ?? 'all',
    since: parseInput(sinceDay, args.since),
    until: parseInput(untilDay, args.until),
    categories: await findCategories(ctx, args.category),
    doctor: args.doctor?.slice(0, LIMITS.shortText) || null,
    institutionId,
    departmentId,
    ownDepartments: args.ownDepartments ?? false,
    search: await readUploadSearch(ctx, search),
  }
  const rows = await selectInbox(ctx.db, scope, ctx.actor.id, filter, request, shown)
  return withDetails(
    ctx,
    toPage(rows, request, ({ released_at, id }) => [released_at?.toISOString() ?? '', id]),
    search,
  )
}

/**
 * Returns the newest `limit` uploads that match a text and that the actor may read, none for a
 * reviewer who may read only the queue; writes no audit row.
 */
export async function searchUploads(ctx: UserCtx, text: string, limit: number): Promise<UploadRow[]> {
  if (!canReadFiles(ctx.actor)) return []
  const search = await readUploadSearch(ctx, text)
  if (search === null) return []
  const scope = uploadScope(ctx.actor)
  return scope.kind === 'released-to'
    ? selectInbox(
        ctx.db,
        scope,
        ctx.actor.id,
        { ...WHOLE_INBOX, categories: [], search },
        { limit: limit - 1, after: null },
      )
    : selectFoundUploads(ctx.db, scope, ctx.actor.id, search, limit)
}

/**
 * Returns the id of the next upload that the actor may accept, after the last one the first; null if none or
 * the actor does not review.
 */
export async function findNextInReview(ctx: UserCtx, upload: UploadRow): Promise<string | null> {
  if (!canReview(ctx.actor)) return null
  return (await selectNextInReview(ctx.db, upload, ctx.actor))?.id ?? null
}

async function withDetails(ctx: UserCtx, page: Page<UploadRow>, search = ''): Promise<UploadList> {
  const subjectIds = page.nodes.map(({ id }) => id)
  await recordAudit(ctx, { action: 'upload.list', subjectIds, ...describeSearch(search) })
  return { ...page, reasons: listUploadReasons(page.nodes, search) }
}
