import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { AUDIT_EXPORT_PATH } from '../shared/audit-export.ts'
import { answerError } from './http/answer-error.ts'
import { createAuditExportDoor } from './http/audit-export.ts'
import { createAuthDoor } from './http/auth.ts'
import { clientAddress } from './http/client-address.ts'
import { createDownloadsDoor } from './http/downloads.ts'
import { type FrontEnd, openBuiltFrontEnd } from './http/front-end.ts'
import { createGraphqlDoor } from './http/graphql.ts'
import { createHealthDoor } from './http/health.ts'
import { createPagesDoor } from './http/pages.ts'
import { createPasswordResetDoor } from './http/password-reset.ts'
import { requireSameOrigin } from './http/same-origin.ts'
import { securityHeaders } from './http/security-headers.ts'
import { createSiteDoor } from './http/site.ts'
import { createSiteImageSendingDoor, createSiteImagesDoor } from './http/site-images.ts'
import { createKeySetDoor, createTokenDoor } from './http/token.ts'
import type { Env } from './http/types.ts'
import { createUploadsDoor } from './http/uploads.ts'
import type { Parts } from './parts.ts'
import { schema } from './schema.ts'

/**
 * All routes of the product, in the order in which a request meets them. Without a front end of its own it serves the
 * built one.
 */
export function createApp(parts: Parts, frontEnd: FrontEnd = openBuiltFrontEnd()): Hono<Env> {
  const app = new Hono<Env>()
  app.onError(answerError(parts))
  app.use(async (c, next) => {
    c.set('facts', {
      id: randomUUID(),
      ip: clientAddress(c, parts.config.trustProxy),
      userAgent: c.req.header('user-agent')?.slice(0, 300) ?? null,
      origin: 'web',
    })
    await next()
  })
  app.use(securityHeaders(parts.config))
  app.use(requireSameOrigin(parts.config))
  app.route('/healthz', createHealthDoor(parts))
  app.route('/api/auth', createAuthDoor(parts))
  app.route('/api/password-reset', createPasswordResetDoor(parts))
  app.route('/api/token', createTokenDoor(parts))
  app.route(AUDIT_EXPORT_PATH, createAuditExportDoor(parts))
  app.route('/api/site', createSiteDoor(parts))
  app.route('/api/site-images', createSiteImageSendingDoor(parts))
  app.route('/site-images', createSiteImagesDoor(parts))
  app.route('/.well-known/jwks.json', createKeySetDoor(parts))
  app.route('/graphql', createGraphqlDoor(parts, schema))
  // Starting, continuing and cancelling an upload, and fetching what was released, share the address but not the verbs.
  app.route('/files', createUploadsDoor(parts))
  app.route('/files', createDownloadsDoor(parts, frontEnd))
  app.route('/', createPagesDoor(parts, frontEnd))
  return app
}
