import { Hono } from 'hono'
import { exportAuditEvents } from '../../features/audit/exports/export-audit-events.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { authenticateExport, sendCsv } from './send-export.ts'

/** Serves the audit log as a CSV file [2.9]. */
export function auditExportRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', async (c) => {
    const ctx = await authenticateExport(services, c)
    const { chunks, isCut } = await exportAuditEvents(ctx, c.req.query())
    return sendCsv(c, ctx, { name: 'jurnal.csv', chunks, isCut })
  })
  return routes
}
