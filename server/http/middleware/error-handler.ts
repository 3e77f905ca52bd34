import type { HttpBindings } from '@hono/node-server'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ErrorCode } from '../../../shared/error-codes.ts'
import { FAULT_MESSAGE, UNAVAILABLE_MESSAGE } from '../../../shared/error-messages.ts'
import { UserError } from '../../errors.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'

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
const RETRY_AFTER_SECONDS = '2'

/**
 * Responds to an error with `{ code, message }`, the message in Romanian. For an unexpected error the
 * response has only the request's id (`errorId`), under which the log has the details.
 */
export function handleError(services: Pick<Services, 'log'>): ErrorHandler<Env> {
  return (error, c) => {
    c.header('cache-control', 'no-store')
    if (error instanceof UserError) {
      const { code, userMessage: message, fields } = error
      if (code === 'UNAVAILABLE' || code === 'TOO_MANY') c.header('retry-after', RETRY_AFTER_SECONDS)
      return c.json({ code, message, ...(fields.length > 0 ? { fields } : {}) }, STATUS[code])
    }
    if (error instanceof HTTPException && error.status < 500) {
      return c.json({ code: 'BAD_USER_INPUT', message: 'Cererea nu poate fi citită.' }, error.status)
    }
    if (isHangUp(c, error)) {
      services.log.debug('http: the client hung up', {
        request: c.get('requestOrigin')?.id,
        route: routePath(c),
      })
      return c.body(null, 400)
    }
    const errorId = c.get('requestOrigin')?.id
    // For clients that read no body.
    c.header('x-request-id', errorId)
    const isUnavailable = isDatabaseUnavailable(error)
    services.log.error('http: unexpected error', {
      request: errorId,
      route: routePath(c),
      away: isUnavailable,
      ...errorFields(error),
    })
    if (isUnavailable) {
      c.header('retry-after', RETRY_AFTER_SECONDS)
      return c.json({ code: 'UNAVAILABLE', message: UNAVAILABLE_MESSAGE, errorId }, 503)
    }
    return c.json({ code: 'INTERNAL_SERVER_ERROR', message: FAULT_MESSAGE, errorId }, 500)
  }
}

/**
 * Whether the client closed the connection before its body had arrived: no server error, and no client reads
 * a response.
 */
function isHangUp(c: Context<Env>, error: Error): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  if (!incoming?.destroyed || incoming.complete) return false
  return error === incoming.errored || error.name === 'AbortError'
}
