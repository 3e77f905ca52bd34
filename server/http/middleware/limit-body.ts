import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Env } from '../types.ts'

/** Refuses a body of more than so many bytes, as it arrives. */
export const limitBody = (maxSize: number): MiddlewareHandler<Env> =>
  bodyLimit({
    maxSize,
    onError: (c) => c.json({ code: 'BAD_USER_INPUT', message: 'Cererea este prea mare.' }, 413),
  })
