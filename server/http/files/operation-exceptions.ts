import { Hono } from 'hono'
import { exportExceptions } from '../../features/operations/export-exceptions.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { authenticateExport, sendCsv } from './send-export.ts'

/** Serves the exceptions of an operation as CSV. */
export function operationExceptionRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/:id/exceptions.csv', async (c) => {
    const ctx = await authenticateExport(services, c)
    const { number, chunks } = await exportExceptions(ctx, c.req.param('id'))
    return sendCsv(c, ctx, { name: `exceptii-${number}.csv`, chunks })
  })
  return routes
}
