import type { UserCtx } from '../../context.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { type AuditRow, selectAuditEvents } from './audit.db.ts'
import { type AuditFilterInput, readAuditFilter } from './audit-filter.ts'
import { recordAudit } from './record-audit.ts'

/** Where the list goes on after this entry. */
export const keysOfEntry = ({ at, id }: AuditRow): [string, string] => [at.toISOString(), String(id)]

/** The journal, newest first: an admin reads all of it, staff their own entries. Reading it is an entry too. */
export async function listAuditEvents(
  ctx: UserCtx,
  args: PageArgs & AuditFilterInput,
): Promise<Page<AuditRow>> {
  const request = parsePage(args, 2)
  const filter = readAuditFilter(ctx.actor, args)
  const rows = filter ? await selectAuditEvents(ctx.db, filter, request) : []
  await recordAudit(ctx, { action: 'log.read', patientId: filter?.patientId ?? null })
  return toPage(rows, request, keysOfEntry)
}
