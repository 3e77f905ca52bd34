import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Env } from '../types.ts'

/** Rejects a body of more than `maxSize` bytes with 413, while it arrives. */
export const limitBody = (maxSize: number): MiddlewareHandler<Env> =>
  bodyLimit({
    maxSize,
    onError: (c) => c.json({ code: 'BAD_USER_INPUT', message: 'Cererea este prea mare.' }, 413),
  })
