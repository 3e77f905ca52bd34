import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Context } from 'hono'
import type { Env } from './types.ts'

/**
 * Returns the connection's own stream if there is one: a web stream in between would add half the time of the
 * writing.
 */
export function bodyOf(c: Context<Env>): Readable {
  const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage }
  const web = c.req.raw
  const body = incoming ?? (web.body ? Readable.fromWeb(web.body as ReadableStream) : Readable.from([]))
  // The connection may break before the body is read; the reader then finds the stream ended.
  body.on('error', () => undefined)
  return body
}
