import { expect, it } from 'vitest'
import { createTestServer } from '../../test/test-server.ts'
import { openDatabase } from '../platform/database/database.ts'
import { healthRoutes } from './health.ts'

it('responds 200 when the database responds', async () => {
  const { app } = await createTestServer()
  const response = await app.request('/healthz')
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
  expect(response.headers.get('cache-control')).toBe('no-store')
})

it('responds 503 when the database does not respond', async () => {
  const db = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined)
  const response = await healthRoutes({ db }).request('/')
  await db.destroy()
  expect([response.status, await response.json()]).toEqual([503, { status: 'unavailable' }])
})
