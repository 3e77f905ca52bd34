import { Hono } from 'hono'
import { pingDatabase } from '../platform/database/database.ts'
import type { Services } from '../services.ts'
import type { Env } from './types.ts'

/** Whether this server can work: 200 while the database answers. */
export function healthRoutes({ db }: Pick<Services, 'db'>): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', async (c) => {
    c.header('cache-control', 'no-store')
    const responses = await pingDatabase(db).then(
      () => true,
      () => false,
    )
    return responses ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
  })
  return routes
}
