import type { HttpBindings } from '@hono/node-server'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorCode } from '../../shared/error-codes.ts'
import { FAULT, UNAVAILABLE } from '../../shared/error-sentences.ts'
import { Refusal } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { isDatabaseAway } from '../platform/database.ts'
import { errorFacts } from '../platform/log.ts'
import type { Env } from './types.ts'

const STATUS: Record<ErrorCode, ContentfulStatusCode> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  BAD_USER_INPUT: 400,
  CONFLICT: 409,
  TOO_MANY: 429,
  UNAVAILABLE: 503,
  INTERNAL_SERVER_ERROR: 500,
}
const RETRY_SECONDS = '2'

/**
 * What a door answers when a verb refuses or something breaks: `{ code, message }`, the message in Romanian. Of a fault
 * only the request's id is told (`errorId`), under which the log has the rest.
 */
export function answerError(parts: Pick<Parts, 'log'>): ErrorHandler<Env> {
  return (error, c) => {
    c.header('cache-control', 'no-store')
    if (error instanceof Refusal) {
      const { code, personMessage: message, fields } = error
      if (code === 'UNAVAILABLE' || code === 'TOO_MANY') c.header('retry-after', RETRY_SECONDS)
      return c.json({ code, message, ...(fields.length > 0 ? { fields } : {}) }, STATUS[code])
    }
    if (error instanceof HTTPException && error.status < 500) {
      return c.json({ code: 'BAD_USER_INPUT', message: 'Cererea nu poate fi citită.' }, error.status)
    }
    if (isHangUp(c, error)) {
      parts.log.debug('http: the client hung up', { request: c.get('facts')?.id, route: routePath(c) })
      return c.body(null, 400)
    }
    const errorId = c.get('facts')?.id
    // For a page that shows only the status.
    c.header('x-request-id', errorId)
    const away = isDatabaseAway(error)
    parts.log.error('http: fault', { request: errorId, route: routePath(c), away, ...errorFacts(error) })
    if (away) {
      c.header('retry-after', RETRY_SECONDS)
      return c.json({ code: 'UNAVAILABLE', message: UNAVAILABLE, errorId }, 503)
    }
    return c.json({ code: 'INTERNAL_SERVER_ERROR', message: FAULT, errorId }, 500)
  }
}

/** Whether the request's own connection has ended before its body had arrived: no fault of ours, and nobody reads an answer. */
function isHangUp(c: Context<Env>, error: Error): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (!incoming?.destroyed || incoming.complete) return false
  return error === incoming.errored || error.name === 'AbortError'
}
