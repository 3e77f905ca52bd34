import { Hono } from 'hono'
import { unauthenticated } from '../../errors.ts'
import { exportExceptions } from '../../features/operations/export-exceptions.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import { toReadableStream } from '../stream-body.ts'
import type { Env } from '../types.ts'

/** Serves the exceptions of an operation as CSV. Accepts the bearer token alone, as the audit log's export does. */
export function operationExceptionRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/:id/exceptions.csv', async (c) => {
    const found = await authenticateBearer(services, c.req.header('authorization'), 'export')
    if (!found) throw unauthenticated()
    const ctx = createRouteContext(services, c, found.actor)
    const { number, chunks } = await exportExceptions(ctx, c.req.param('id'))
    return c.body(await toReadableStream(ctx, chunks), 200, {
      'cache-control': 'private, no-store',
      'content-disposition': `attachment; filename="exceptii-${number}.csv"`,
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
    })
  })
  return routes
}
