import type { UserCtx } from '../../context.ts'
import { forbidden, invalidState, notFound } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { canManageIncidents, canReadIncidents } from './incidents.access.ts'
import {
  type IncidentRow,
  lockIncident,
  selectIncident,
  selectIncidents,
  selectIncidentsOfUpload,
} from './incidents.db.ts'

/** Returns the incidents, the newest first, for administrators; with `open` only those that are or are not closed. */
export async function listIncidents(
  ctx: UserCtx,
  { open, ...args }: PageArgs & { open?: boolean | null | undefined },
): Promise<Page<IncidentRow>> {
  if (!canManageIncidents(ctx.actor)) throw forbidden('list incidents')
  const request = parsePage(args)
  const rows = await selectIncidents(ctx.db, open ?? null, request)
  const page = toPage(rows, request, ({ moved_at, id }) => [moved_at.toISOString(), id])
  await recordAudit(ctx, { action: 'incident.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/** Returns an incident for its page, and records who read it. */
export async function readIncident(ctx: UserCtx, id: string): Promise<IncidentRow> {
  const incident = await getIncident(ctx, id)
  await recordAudit(ctx, { action: 'incident.read', subject: { type: 'incident', id } })
  return incident
}

/** Returns the incident. Throws FORBIDDEN or NOT_FOUND. */
export async function getIncident(ctx: UserCtx, id: string): Promise<IncidentRow> {
  if (!canReadIncidents(ctx.actor)) throw forbidden('read incident')
  const incident = isId(id) ? await selectIncident(ctx.db, id) : undefined
  if (!incident) throw notFound('incident')
  return incident
}

/** Locks an incident and returns it. Throws like `getIncident`. */
export async function getLockedIncident(tx: UserCtx, id: string): Promise<IncidentRow> {
  if (canReadIncidents(tx.actor) && isId(id)) await lockIncident(tx.db, id)
  return getIncident(tx, id)
}

/** Locks an incident and returns it. Throws like `getIncident`, and CONFLICT if it is closed. */
export async function getOpenIncident(tx: UserCtx, id: string): Promise<IncidentRow> {
  const incident = await getLockedIncident(tx, id)
  if (incident.closed_at) throw invalidState('closed', 'Incidentul este încheiat.')
  return incident
}

/** Returns the incidents of an upload, the newest first; none for an actor who may not read them. */
export const findIncidentsOf = async (ctx: UserCtx, { id }: UploadRow): Promise<IncidentRow[]> =>
  canReadIncidents(ctx.actor) ? selectIncidentsOfUpload(ctx.db, id) : []
