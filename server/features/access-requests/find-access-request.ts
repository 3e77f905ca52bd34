import { LIMITS } from '../../../shared/limits.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit, recordAudits } from '../audit/record-audit.ts'
import { accessRequestScope, canDecideAccess, canRequestAccess } from './access-requests.access.ts'
import {
  type AccessRequestRow,
  countOpen,
  type NoticeableRequest,
  selectAccessRequest,
  selectDecided,
  selectDecidedOf,
  selectLastSent,
  selectNewest,
  selectOpen,
  selectTypedCnp,
} from './access-requests.db.ts'
import { type ComparedPatient, proposePatients } from './propose-patients.ts'

/** Returns the requests of the actor's institutions, the newest first. */
export async function listOwnAccessRequests(ctx: UserCtx, args: PageArgs): Promise<Page<AccessRequestRow>> {
  if (!canRequestAccess(ctx.actor)) throw forbidden('list own access requests')
  const request = parsePage(args)
  const rows = await selectNewest(ctx.db, accessRequestScope(ctx.actor), request)
  return recordList(
    ctx,
    toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id]),
  )
}

/** Returns for staff the requests that wait for a decision, the oldest first; with `decided` the others, the last first. */
export async function listAccessRequests(
  ctx: UserCtx,
  { decided, ...args }: PageArgs & { decided?: boolean | null | undefined },
): Promise<Page<AccessRequestRow>> {
  if (!canDecideAccess(ctx.actor)) throw forbidden('list access requests')
  const request = parsePage(args)
  const rows = await (decided ? selectDecided : selectOpen)(ctx.db, request)
  return recordList(
    ctx,
    toPage(rows, request, ({ created_at, decided_at, id }) => [
      ((decided ? decided_at : null) ?? created_at).toISOString(),
      id,
    ]),
  )
}

async function recordList(ctx: UserCtx, page: Page<AccessRequestRow>): Promise<Page<AccessRequestRow>> {
  await recordAudit(ctx, { action: 'access-request.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/** Returns for staff how many requests wait for a decision, at most a thousand. */
export async function countAccessRequests(ctx: UserCtx): Promise<number> {
  if (!canDecideAccess(ctx.actor)) throw forbidden('count access requests')
  return countOpen(ctx.db)
}

/**
 * Returns the newest of the requests that wait for staff, or of the decisions of the last days about the actor's own
 * requests. Without whom they are about, and without an audit row.
 */
export async function findNoticeableRequests(ctx: UserCtx, limit: number): Promise<NoticeableRequest[]> {
  if (canDecideAccess(ctx.actor)) return selectLastSent(ctx.db, limit)
  const since = new Date(ctx.now.getTime() - LIMITS.notificationDays * 24 * 3_600_000)
  return selectDecidedOf(ctx.db, ctx.actor.id, since, limit)
}

export type ReadAccessRequest = { request: AccessRequestRow; cnp: string | null }

const readingOf = (id: string) =>
  ({ action: 'access-request.read', subject: { type: 'access-request', id } }) as const

/** Returns a request for staff who decide it. The reading is recorded. */
export async function readAccessRequest(ctx: UserCtx, id: string): Promise<ReadAccessRequest> {
  const request = await getAccessRequest(ctx, id)
  const cnp = await selectTypedCnp(ctx.db, id)
  await recordAudit(ctx, readingOf(id))
  return { request, cnp }
}

/** Returns the patients whom a request may be about; none of one that was decided. The reading is recorded, for each of them. */
export async function readCandidates(
  ctx: UserCtx,
  { request, cnp }: ReadAccessRequest,
): Promise<ComparedPatient[]> {
  if (request.state !== 'sent') return []
  const patients = await proposePatients(ctx, { ...request, cnp })
  await recordAudits(
    ctx,
    patients.map(({ person }) => ({ ...readingOf(request.id), patientId: person.id })),
  )
  return patients
}

/** Returns the request for staff. Throws FORBIDDEN or NOT_FOUND. */
export async function getAccessRequest(ctx: UserCtx, id: string): Promise<AccessRequestRow> {
  if (!canDecideAccess(ctx.actor)) throw forbidden('read access request')
  const request = isId(id) ? await selectAccessRequest(ctx.db, id) : undefined
  if (!request) throw notFound('access request')
  return request
}
