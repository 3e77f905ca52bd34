import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { findPublicSite } from '../../features/site/find-public-site.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'

/** Serves the public settings of the site, for a page that refreshes them; 304 when they have not changed. */
export function siteRoutes({ db, config }: Pick<Services, 'db' | 'config'>): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', etag(), async (c) =>
    c.json(await findPublicSite(db, config), 200, { 'cache-control': 'no-cache' }),
  )
  return routes
}
