import { Hono } from 'hono'
import { pingDatabase } from '../platform/database/database.ts'
import type { Services } from '../services.ts'
import type { Env } from './types.ts'

/** The health check: 200 when the database responds, 503 otherwise. */
export function healthRoutes({ db }: Pick<Services, 'db'>): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', async (c) => {
    c.header('cache-control', 'no-store')
    const isAvailable = await pingDatabase(db).then(
      () => true,
      () => false,
    )
    return isAvailable ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
  return routes
}
