import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { UserError } from '../../errors.ts'
import type { Env } from '../types.ts'
import { sendUserError } from './error-handler.ts'

/** Rejects a body of more than `maxSize` bytes with 413, while it arrives. */
export const limitBody = (maxSize: number, userMessage?: string): MiddlewareHandler<Env> =>
  bodyLimit({
    maxSize,
    onError: (c) => sendUserError(c, new UserError(413, 'body too large', userMessage)),
  })
