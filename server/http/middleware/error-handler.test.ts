import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { expect, it } from 'vitest'
import type { ErrorCode } from '../../../shared/errors.ts'
import { conflict, forbidden, invalid, notFound, UserError, unauthenticated } from '../../errors.ts'
import { openDatabase, pingDatabase } from '../../platform/database/database.ts'
import { createLog } from '../../platform/log.ts'
import type { Env } from '../types.ts'
import { handleError } from './error-handler.ts'

async function respond(fail: () => unknown) {
  const logged: string[] = []
  const app = new Hono<Env>()
  app.onError(handleError({ log: createLog('debug', (line) => logged.push(line)) }))
  app.use(async (c, next) => {
    c.set('requestOrigin', { id: 'cererea-1', ip: null, userAgent: null, origin: 'web' })
    await next()
  })
  app.get('/cont/:token', async (c) => {
    await fail()
    return c.text('')
  })
  const response = await app.request('/cont/secret-token')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
    logged: logged.join(''),
  }
}

const thrown = (error: unknown) => () => {
  throw error
}

it('responds to an expected error with its code, Romanian message and status, and logs nothing', async () => {
  const cases: [UserError, number, ErrorCode][] = [
    [unauthenticated(), 401, 'UNAUTHENTICATED'],
    [forbidden('x'), 403, 'FORBIDDEN'],
    [notFound('x'), 404, 'NOT_FOUND'],
    [conflict('x'), 409, 'CONFLICT'],
    [new UserError('TOO_MANY', 'x', 'Prea multe.'), 429, 'TOO_MANY'],
    [new UserError('UNAVAILABLE', 'x', 'Nu răspunde.'), 503, 'UNAVAILABLE'],
  ]
  for (const [userError, expected, code] of cases) {
    const { status, body, logged } = await respond(thrown(userError))
    expect([status, body, logged]).toEqual([expected, { code, message: userError.userMessage }, ''])
  }
  const { status, body } = await respond(
    thrown(invalid([{ field: 'email', message: 'Email este necesar.' }])),
  )
  expect(status).toBe(400)
  expect(body).toEqual({
    code: 'BAD_USER_INPUT',
    message: 'Email este necesar.',
    fields: [{ field: 'email', message: 'Email este necesar.' }],
  })
})

it('reports an unexpected error by the id under which the log has it, without data in response or log', async () => {
  const { status, headers, body, logged } = await respond(
    thrown(new Error('duplicate key (cnp)=(1960229410014)')),
  )
  expect([status, headers.get('x-request-id')]).toEqual([500, 'cererea-1'])
  expect(body).toEqual({
    code: 'INTERNAL_SERVER_ERROR',
    message: 'A apărut o eroare. O nouă încercare poate reuși.',
    errorId: 'cererea-1',
  })
  expect(JSON.parse(logged)).toMatchObject({ request: 'cererea-1', route: '/cont/:token', error: 'Error' })
  expect(logged).not.toContain('1960229410014')
  expect(logged).not.toContain('secret-token')
})

it('responds to an unavailable database with a retry after two seconds', async () => {
  const db = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
  const { status, headers, body } = await respond(() => pingDatabase(db))
  await db.destroy()
  expect([status, headers.get('retry-after'), body.code]).toEqual([503, '2', 'UNAVAILABLE'])
})

it('keeps the status of a request that the framework cannot read', async () => {
  const { status, body } = await respond(thrown(new HTTPException(413)))
  expect([status, body.code]).toEqual([413, 'BAD_USER_INPUT'])
})
