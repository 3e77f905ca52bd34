import type { MiddlewareHandler } from 'hono'
import { findSearchService, searchServiceOrigins } from '../../../shared/site/search-service.ts'
import type { PublicSite } from '../../../shared/site/site-settings.ts'
import type { Config } from '../../config.ts'
import type { Env } from '../types.ts'

const YEAR_SECONDS = 31_536_000

/**
 * Returns the Content-Security-Policy: scripts come only from the product, and they connect only to it and to
 * the origins `connectTo`. React writes style attributes and pdf.js starts its worker from a blob. `wss:` is
 * listed because 'self' does not cover it in older browsers. No text becomes HTML or a script, except by the policies of
 * Trusted Types named here: those of `web/builds/worker-policy.ts` and of DOMPurify.
 */
export function contentPolicy(config: Pick<Config, 'url'>, connectTo: readonly string[] = []): string {
  const { protocol, host } = new URL(config.url)
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src ${["'self'", socket, ...connectTo].join(' ')}`,
    "worker-src 'self' blob:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default dompurify',
  ].join('; ')
}

/**
 * Returns the Content-Security-Policy of a page, which replaces the general one, if the settings name other
 * hosts that the page connects to: for GraphQL [1.5] or for the search service [1.7]. Empty without such
 * hosts.
 */
export function pageHeaders(config: Pick<Config, 'url'>, site: PublicSite): Record<string, string> {
  const service = findSearchService(site)
  const connectTo = [...backendOrigins(site), ...(service ? searchServiceOrigins(service) : [])]
  return connectTo.length > 0 ? { 'content-security-policy': contentPolicy(config, connectTo) } : {}
}

function backendOrigins({ url_backend }: PublicSite): string[] {
  const backend = URL.parse(url_backend)
  if (!backend || !/^https?:$/.test(backend.protocol)) return []
  return [backend.origin, backend.origin.replace(/^http/, 'ws')]
}

function headersFor(config: Pick<Config, 'url'>): [string, string][] {
  const secure = new URL(config.url).protocol === 'https:'
  const headers: [string, string][] = [
    ['content-security-policy', contentPolicy(config)],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    [
      'permissions-policy',
      'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), usb=()',
    ],
    ['referrer-policy', 'no-referrer'],
    ['x-content-type-options', 'nosniff'],
  ]
  // Only over HTTPS: browsers ignore it over plain HTTP, and on localhost it would affect every other
  // program.
  if (secure) headers.push(['strict-transport-security', `max-age=${YEAR_SECONDS}; includeSubDomains`])
  return headers
}

/**
 * Sets the security headers on every response, errors included, unless the route has set that header itself.
 */
export function securityHeaders(config: Pick<Config, 'url'>): MiddlewareHandler<Env> {
  const headers = headersFor(config)
  return async (c, next) => {
    await next()
    for (const [name, value] of headers) {
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  }
}
