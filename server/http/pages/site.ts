import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { findPublicSite } from '../../features/site/find-public-site.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'

/** What a page carries of the site, for one that stands open: asked again, it is told only what has changed. */
export function siteRoutes({ db, config }: Pick<Services, 'db' | 'config'>): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/', etag(), async (c) =>
    c.json(await findPublicSite(db, config), 200, { 'cache-control': 'no-cache' }),
  )
  return routes
}
