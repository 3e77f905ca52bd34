import { Hono } from 'hono'
import { writeIncidentReport } from '../../features/incidents/write-report.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { authenticateExport } from './send-export.ts'

/** Serves the report of an incident as PDF. */
export function incidentReportRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/:id/report.pdf', async (c) => {
    const ctx = await authenticateExport(services, c)
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
