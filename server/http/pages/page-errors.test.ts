import { Hono } from 'hono'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PageError } from '../../../shared/page-errors.ts'
import { createLog } from '../../platform/log.ts'
import { handleError } from '../middleware/error-handler.ts'
import type { Env } from '../types.ts'
import { pageErrorRoutes } from './page-errors.ts'

const REPORT: PageError = {
  name: 'TypeError',
  status: 503,
  request: '0f3c7700-1111-4222-8333-444455556666',
  screen: '/patients/$patientId',
  build: '91ef4949da68d41a',
  positions: ['assets/main-abcd1234.js:1:200', 'assets/forms-d_e-1234.js:3:7'],
}

function createRoutes() {
  const lines: Record<string, unknown>[] = []
  const log = createLog('warn', (line) => lines.push(JSON.parse(line)))
  const app = new Hono<Env>()
  app.onError(handleError({ log }))
  app.use(async (c, next) => {
    const ip = c.req.header('x-ip') ?? null
    c.set('requestOrigin', { id: 'x', ip, userAgent: null, origin: 'web' })
    await next()
  })
  app.route('/', pageErrorRoutes({ log, config: { workers: 1 } }))
  const send = async (body: unknown, ip = '192.0.2.1') =>
    (
      await app.request('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-ip': ip },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
    ).status
  return { send, lines }
}

beforeEach(() => void vi.useFakeTimers())

it('the report of an unhandled error is one line of the log [8.12]', async () => {
  const { send, lines } = createRoutes()
  expect(await send(REPORT)).toBe(204)
  const { positions, ...fields } = REPORT
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      event: 'page: unhandled error',
      ...fields,
      stack: positions.join('\n'),
    }),
  ])
})

it.each([
  ['text in the name', { ...REPORT, name: 'Ion Popescu 1960101' }],
  ['an address with an id', { ...REPORT, screen: '/patients/0f3c7700' }],
  ['a person', { ...REPORT, name: 'PopescuIon' }],
  ['a CNP as a position', { ...REPORT, positions: ['assets/main-abcd1234.js:1:1850101123457'] }],
  ['a CNP as a build', { ...REPORT, build: '1850101123457' }],
  ['another script', { ...REPORT, positions: ['https://evil.example/x.js:1:2'] }],
  [
    'too many positions',
    { ...REPORT, positions: Array.from({ length: 11 }, () => 'assets/main-abcd1234.js:1:1') },
  ],
  ['a message', { ...REPORT, message: 'Ion Popescu' }],
  ['no JSON', '{'],
  ['a long body', { ...REPORT, name: 'a'.repeat(5000) }],
])('a report with %s is rejected and not logged [8.12]', async (_what, body) => {
  const { send, lines } = createRoutes()
  expect([400, 413]).toContain(await send(body))
  expect(lines).toEqual([])
})

it('reports are limited by network and in all, until the next minute [8.12]', async () => {
  const { send, lines } = createRoutes()
  const statuses = []
  for (let count = 0; count < 11; count += 1) statuses.push(await send(REPORT))
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 204), 429])
  for (let network = 2; network <= 9; network += 1)
    for (let count = 0; count < 9; count += 1) await send(REPORT, `192.0.${network}.1`)
  expect(lines).toHaveLength(60)
  vi.advanceTimersByTime(60_000)
  expect(await send(REPORT)).toBe(204)
})
