import type { UserCtx } from '../../context.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { isId } from '../../platform/ids.ts'
import { type AuditRow, selectAuditEvents } from './audit.db.ts'
import { recordAudit } from './record-audit.ts'

/** The journal, newest first: an admin reads all of it, staff their own entries. Reading it is an entry too. */
export async function listAuditEvents(
  ctx: UserCtx,
  args: PageArgs & { action?: string | null | undefined; patientId?: string | null | undefined },
): Promise<Page<AuditRow>> {
  const request = parsePage(args, 1)
  if (args.patientId && !isId(args.patientId)) return { nodes: [], endCursor: null }
  const rows = await selectAuditEvents(
    ctx.db,
    {
      actorId: ctx.actor.role === 'admin' ? null : ctx.actor.id,
      action: args.action ?? null,
      patientId: args.patientId ?? null,
    },
    request,
  )
  await recordAudit(ctx, { action: 'log.read' })
  return toPage(rows, request, ({ id }) => [String(id)])
}
