import { Hono } from 'hono'
import { unauthenticated } from '../../errors.ts'
import { writeIncidentReport } from '../../features/incidents/write-report.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { Env } from '../types.ts'

/** Serves the report of an incident as PDF. Accepts the bearer token alone, as the export of the audit log does. */
export function incidentReportRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/:id/report.pdf', async (c) => {
    const found = await authenticateBearer(services, c.req.header('authorization'), 'export')
    if (!found) throw unauthenticated()
    const ctx = createRouteContext(services, c, found.actor)
    const { number, bytes } = await writeIncidentReport(ctx, c.req.param('id'))
    return c.body(Uint8Array.from(bytes), 200, {
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="incident-${number}.pdf"`,
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': 'application/pdf',
      'x-content-type-options': 'nosniff',
    })
  })
  return routes
}
