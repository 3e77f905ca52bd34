import type { UserCtx } from '../../context.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { type AuditRow, selectAuditEvents } from './audit.db.ts'
import { type AuditFilterInput, readAuditFilter } from './audit-filter.ts'
import { recordAudit } from './record-audit.ts'

/** The cursor after this entry. */
export const keysOfEntry = ({ at, id }: AuditRow): [string, string] => [at.toISOString(), String(id)]

/**
 * Returns entries of the audit log, newest first: all for administrators, their own for staff. The reading is
 * recorded too.
 */
export async function listAuditEvents(
  ctx: UserCtx,
  args: PageArgs & AuditFilterInput,
): Promise<Page<AuditRow>> {
  const request = parsePage(args)
  const filter = readAuditFilter(ctx.actor, args)
  const rows = filter ? await selectAuditEvents(ctx.db, filter, request) : []
  await recordAudit(ctx, { action: 'log.read', patientId: filter?.patientId ?? null })
  return toPage(rows, request, keysOfEntry)
}
