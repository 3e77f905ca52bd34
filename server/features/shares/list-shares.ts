import type { UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from '../patients/get-patient.ts'
import { canReadFiles } from '../uploads/uploads.access.ts'
import { canShare } from './shares.access.ts'
import { type EventRow, type ShareRow, selectEvents, selectShare, selectShares } from './shares.db.ts'

type ShareListArgs = PageArgs & {
  patientId?: string | null | undefined
  state?: 'live' | 'ended' | null | undefined
  mine?: boolean | null | undefined
}

/**
 * Returns shares, the newest first, of all patients or of one, `mine` only those that the actor made; for staff who may share.
 * The reading is recorded.
 */
export async function listShares(
  ctx: UserCtx,
  { patientId, state, mine, ...pageArgs }: ShareListArgs,
): Promise<Page<ShareRow>> {
  if (!canShare(ctx.actor)) throw forbidden('shares')
  const page = parsePage(pageArgs)
  const patient = patientId ? await getPatient(ctx, patientId) : null
  const filter = {
    patientId: patient?.id ?? null,
    makerId: mine ? ctx.actor.id : null,
    state: state ?? null,
  }
  const rows = await selectShares(ctx.db, filter, page)
  const list = toPage(rows, page, ({ created_at, id }) => [created_at.toISOString(), id])
  await recordAudit(ctx, {
    action: 'share.list',
    subjectIds: list.nodes.map(({ id }) => id),
    patientId: patient?.id ?? null,
  })
  return list
}

/** Returns a share, for staff who may share. The reading is recorded. */
export async function readShare(ctx: UserCtx, id: string): Promise<ShareRow> {
  if (!canShare(ctx.actor)) throw forbidden('share')
  const share = isId(id) ? await selectShare(ctx.db, id) : undefined
  if (!share) throw notFound('share')
  await recordAudit(ctx, {
    action: 'share.read',
    subject: { type: 'share', id },
    patientId: share.patient_id,
  })
  return share
}

/** Returns what was done with a share, the newest first; the names of files to who may read files of patients alone. */
export const findEventsOfShare = async ({ db, actor }: UserCtx, shareId: string): Promise<EventRow[]> => {
  const events = await selectEvents(db, shareId)
  return canReadFiles(actor) ? events : events.map((event) => ({ ...event, file_name: null }))
}
