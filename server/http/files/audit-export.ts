import { Hono } from 'hono'
import { AUDIT_EXPORT_CUT } from '../../../shared/audit/audit-export.ts'
import { unauthenticated } from '../../errors.ts'
import { exportAuditEvents } from '../../features/audit/export-audit-events.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { toReadableStream } from '../stream-body.ts'
import type { Env } from '../types.ts'

/**
 * Serves the audit log as a CSV file [2.9]. Accepts the bearer token alone, not the cookie, so that a link
 * from another site or a passed on link cannot open the file.
 */
export function auditExportRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', async (c) => {
    const found = await authenticateBearer(services, c.req.header('authorization'), 'export')
    if (!found) throw unauthenticated()
    const ctx = createRouteContext(services, c, found.actor)
    const { chunks, isCut } = await exportAuditEvents(ctx, c.req.query())
    return c.body(await toReadableStream(ctx, chunks), 200, {
      'cache-control': 'private, no-store',
      'content-disposition': 'attachment; filename="jurnal.csv"',
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
      ...(isCut && { [AUDIT_EXPORT_CUT]: '1' }),
    })
  })
  return routes
}
