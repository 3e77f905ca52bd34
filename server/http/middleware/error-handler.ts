import type { HttpBindings } from '@hono/node-server'
import type { Context, ErrorHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { routePath } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorOf, isErrorStatus } from '../../../shared/errors.ts'
import { UserError } from '../../errors.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import type { Env } from '../types.ts'
import { recordDenials } from './record-denials.ts'

export const RETRY_AFTER_SECONDS = '2'

/** Responds to an expected error with its status and `{ code, message }`, the message in Romanian. */
export function sendUserError(c: Context, error: UserError): Response {
  const { code, status, userMessage: message, fields } = error
  c.header('cache-control', 'no-store')
  if (status === 429 || status === 503 || code === 'IN_PROGRESS') c.header('retry-after', RETRY_AFTER_SECONDS)
  return c.json(
    { code, message, ...(fields.length > 0 ? { fields } : {}) },
    // 460 of the upload protocol is not in the framework's list.
    status as ContentfulStatusCode,
  )
}

/**
 * Responds to every error that a route throws. For an unexpected error the response has only the request's id
 * (`errorId`), under which the log has the details.
 */
export function handleError(services: Pick<Services, 'log'>): ErrorHandler<Env> {
  return async (thrown, c) => {
    const error = await recordIfDenied(c, thrown)
    if (error instanceof UserError) return sendUserError(c, error)
    c.header('cache-control', 'no-store')
    if (error instanceof HTTPException && error.status < 500) {
      const { code, message } = errorOf(isErrorStatus(error.status) ? error.status : 'BAD_USER_INPUT')
      return c.json({ code, message }, error.status)
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
    if (isUnavailable) c.header('retry-after', RETRY_AFTER_SECONDS)
    const { code, status, message } = errorOf(isUnavailable ? 503 : 500)
    return c.json({ code, message, errorId }, status as ContentfulStatusCode)
  }
}

/** Records denied access before the client gets the response. Returns the error, or that of the recording. */
async function recordIfDenied(c: Context<Env>, error: Error): Promise<Error> {
  const ctx = c.get('client')
  try {
    if (ctx) await recordDenials(ctx, [error])
    return error
  } catch (failure) {
    return failure as Error
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
