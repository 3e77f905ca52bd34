import type { IncomingMessage } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import type { Config } from '../../config.ts'
import type { Env } from '../types.ts'

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Whether a page of this origin is one of ours: the configured address, or this very server reached on its own machine.
 * `host` is the request's Host. No other host name counts, whatever it resolves to.
 */
export function isSameOrigin(config: Pick<Config, 'url'>, origin: string, host: string | undefined): boolean {
  if (origin === new URL(config.url).origin) return true
  const from = URL.parse(origin)
  return from?.origin === origin && from.host === host && LOOPBACK.has(from.hostname)
}

/** Whether a request names more than one host, which RFC 9112 (3.2) has refused with 400. */
export const hasManyHosts = ({ headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct.host?.length ?? 0) > 1

/** The origin that links and redirects of this request's answer stay on: its own where that is ours, else the configured. */
export function expectedOrigin(config: Pick<Config, 'url'>, requestUrl: string): string {
  const { origin, host } = new URL(requestUrl)
  return isSameOrigin(config, origin, host) ? origin : new URL(config.url).origin
}

/**
 * Refuses whatever changes something and comes from a page that is not ours. Browsers say where a request comes from
 * (Sec-Fetch-Site, Origin); a request that says neither comes from no browser, so there is no cookie to be abused.
 * In production with a public address, requests for any other host are refused as well; the health check is asked by IP.
 */
export function requireSameOrigin(config: Pick<Config, 'url' | 'production'>): MiddlewareHandler<Env> {
  const own = new URL(config.url)
  const oneHost = config.production && !LOOPBACK.has(own.hostname)
  return async (c, next) => {
    const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
    if (incoming && hasManyHosts(incoming)) {
      return c.json({ code: 'BAD_USER_INPUT', message: 'Cererea nu poate fi citită.' }, 400)
    }
    const { host, hostname } = new URL(c.req.url)
    // Behind a proxy that ends TLS the request itself is plain: read as our own scheme, `:443` is no other host.
    const isOwnHost = URL.parse(`${own.protocol}//${host}`)?.host === own.host
    if (oneHost && !isOwnHost && !LOOPBACK.has(hostname) && c.req.path !== '/healthz') {
      return c.json({ code: 'NOT_FOUND', message: 'Această adresă nu este a acestui server.' }, 421)
    }
    if (SAFE_METHODS.has(c.req.method)) return next()
    const site = c.req.header('sec-fetch-site')
    const origin = c.req.header('origin')
    const fromOwnPage =
      (site === undefined || site === 'same-origin') &&
      (origin === undefined || isSameOrigin(config, origin, host))
    if (fromOwnPage) return next()
    return c.json({ code: 'FORBIDDEN', message: 'Cererea vine de pe alt site și a fost refuzată.' }, 403)
  }
}
