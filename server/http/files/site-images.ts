import { Hono } from 'hono'
import { SITE_IMAGE_BYTES } from '../../../shared/site/setting-bounds.ts'
import { IMAGE_SIZE_MESSAGE } from '../../../shared/site/site-image-messages.ts'
import { notFound, unauthenticated } from '../../errors.ts'
import { findSiteImage } from '../../features/site/find-site-image.ts'
import { authoriseSiteImage, receiveSiteImage } from '../../features/site/receive-site-image.ts'
import type { Services } from '../../services.ts'
import { authenticateBearer } from '../auth/authenticate.ts'
import { limitBody } from '../middleware/limit-body.ts'
import { createRouteContext } from '../middleware/record-denials.ts'
import type { Env } from '../types.ts'

const limitImage = limitBody(SITE_IMAGE_BYTES, IMAGE_SIZE_MESSAGE)

/**
 * Receives an image of the organisation from an administrator [1.5] as raw bytes; responds with `{ address
 * }`.
 */
export function siteImageUploadRoutes(services: Services): Hono<Env> {
  const routes = new Hono<Env>()
  routes.post('/:kind', async (c) => {
    const session = await authenticateBearer(services, c.req.header('authorization'), 'files')
    if (!session) throw unauthenticated()
    const ctx = createRouteContext(services, c, session.actor)
    const kind = authoriseSiteImage(ctx, c.req.param('kind'))
    const userError = await limitImage(c, async () => undefined)
    if (userError) return userError
    const address = await receiveSiteImage(ctx, kind, Buffer.from(await c.req.arrayBuffer()))
    return c.json({ address }, 201, { 'cache-control': 'no-store' })
  })
  return routes
}

/** Serves the images of the organisation, without authentication. The image at an address never changes. */
export function siteImageRoutes({ db }: Pick<Services, 'db'>): Hono<Env> {
  const routes = new Hono<Env>()
  routes.get('/:key', async (c) => {
    const image = await findSiteImage(db, c.req.param('key'))
    if (!image) throw notFound('picture')
    return c.body(new Uint8Array(image.bytes), 200, {
      'content-type': image.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
  })
  return routes
}
