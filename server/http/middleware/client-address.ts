import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { Env } from '../types.ts'

const MAPPED_IPV4 = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i

/**
 * Returns the client's IP address: the socket's, or behind a trusted proxy the last address of
 * X-Forwarded-For. Only that one was added by the proxy; a client can forge the addresses before it. Null
 * when the request has no socket.
 */
export function clientAddress(c: Context<Env>, trustProxy: boolean): string | null {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return chooseAddress(c.req.header('x-forwarded-for'), incoming?.socket.remoteAddress, trustProxy)
}

/** Whether a proxy, or a client that pretends to be one, names the address that the request comes from. */
export const isForwarded = (c: Context<Env>): boolean =>
  c.req.header('x-forwarded-for') !== undefined || c.req.header('forwarded') !== undefined

/** Returns the client's IP address for a request outside Hono, such as a websocket upgrade. */
export function requestAddress({ headers, socket }: IncomingMessage, trustProxy: boolean): string | null {
  return chooseAddress(headers['x-forwarded-for']?.toString(), socket.remoteAddress, trustProxy)
}

function chooseAddress(
  forwardedFor: string | undefined,
  remote: string | undefined,
  trustProxy: boolean,
): string | null {
  const forwarded = trustProxy ? forwardedFor?.split(',').at(-1)?.trim() : undefined
  const address = forwarded && isIP(forwarded) > 0 ? forwarded : remote
  return address?.replace(MAPPED_IPV4, '') ?? null
}

/**
 * Returns the network of one internet connection: the IPv4 address, or the /64 of an IPv6 address
 * (`2001:db8:0:1::/64`).
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = [], tail = []] = address
    .split('%')[0]!
    .split('::')
    .map((part) => part.split(':').filter(Boolean))
  // A dotted IPv4 ending counts as two groups.
  const missing = 8 - head.length - tail.length - (address.includes('.') ? 1 : 0)
  const groups = [...head, ...Array<string>(missing).fill('0'), ...tail]
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
