import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { findPublicSite } from '../features/site/find-public-site.ts'
import type { Parts } from '../parts.ts'
import type { Env } from './types.ts'

/** What a page carries of the site, for one that stands open: asked again, it is told only what has changed. */
export function createSiteDoor({ db, config }: Pick<Parts, 'db' | 'config'>): Hono<Env> {
  const door = new Hono<Env>()
  door.get('/', etag(), async (c) =>
    c.json(await findPublicSite(db, config), 200, { 'cache-control': 'no-cache' }),
  )
  return door
}
