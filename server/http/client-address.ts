import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Env } from './types.ts'

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/**
 * The IP address of whoever asks: the socket's, or with a proxy in front the last one in X-Forwarded-For, which the proxy
 * has added itself; what stands before it is only claimed. Null where there is no socket.
 */
export function clientAddress(c: Context<Env>, trustProxy: boolean): string | null {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined
  if (forwarded && isIP(forwarded) > 0) return forwarded.replace(MAPPED_IPV4, '')
  const bindings = c.env as Partial<HttpBindings> | undefined
  return bindings?.incoming?.socket.remoteAddress?.replace(MAPPED_IPV4, '') ?? null
}
