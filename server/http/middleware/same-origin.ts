import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../../config.ts'
import { UserError } from '../../errors.ts'
import type { Env } from '../types.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether the origin is the product's own: the configured address, or this server reached by a loopback name.
 * `host` is the request's Host header. No other host name counts, even if it resolves to this server (DNS
 * rebinding).
 */
export function isSameOrigin(config: Pick<Config, 'url'>, origin: string, host: string | undefined): boolean {
  if (origin === new URL(config.url).origin) return true
  const from = URL.parse(origin)
  return from?.origin === origin && from.host === host && LOOPBACK.has(from.hostname)
}

/** Whether a request has more than one Host header, which must get 400 (RFC 9112, 3.2). */
export const hasManyHosts = ({ headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct.host?.length ?? 0) > 1

/**
 * Returns the origin for links and redirects of a response: the request's if it is the product's own, else
 * the configured.
 */
export function expectedOrigin(config: Pick<Config, 'url'>, requestUrl: string): string {
  const { origin, host } = new URL(requestUrl)
  return isSameOrigin(config, origin, host) ? origin : new URL(config.url).origin
}

/**
 * Rejects unsafe methods from pages of other origins. Browsers send Sec-Fetch-Site or Origin; a request with
 * neither comes from no browser, so it has no cookie that could be abused. In production with a public
 * address, requests for any other host are rejected as well, except the health check, which is requested by
 * IP.
 */
export function requireSameOrigin(config: Pick<Config, 'url' | 'production'>): MiddlewareHandler<Env> {
  const own = new URL(config.url)
  const allowsOneHost = config.production && !LOOPBACK.has(own.hostname)
  return async (c, next) => {
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
    if (incoming && hasManyHosts(incoming)) {
      throw new UserError('BAD_USER_INPUT', 'more than one Host header')
    }
    const { host, hostname } = new URL(c.req.url)
    // Behind a proxy that ends TLS the request is plain HTTP. Parsed with the configured scheme, a default
    // port is ignored.
    const isOwnHost = URL.parse(`${own.protocol}//${host}`)?.host === own.host
    if (allowsOneHost && !isOwnHost && !LOOPBACK.has(hostname) && c.req.path !== '/healthz') {
      throw new UserError(421, 'request for another host')
    }
    if (SAFE_METHODS.has(c.req.method)) return next()
    const site = c.req.header('sec-fetch-site')
    const origin = c.req.header('origin')
    const fromOwnPage =
      (site === undefined || site === 'same-origin') &&
      (origin === undefined || isSameOrigin(config, origin, host))
    if (fromOwnPage) return next()
    throw new UserError(
      'FORBIDDEN',
      'request from a page of another site',
      'Cererea vine de pe alt site și a fost refuzată.',
    )
  }
}
