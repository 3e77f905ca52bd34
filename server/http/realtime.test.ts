import type { Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { createClient } from 'graphql-ws'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { makeUpload, makeUser } from '../../db/factories.ts'
import { createTestServer, type TestServer } from '../../test/harness.ts'
import { announce } from '../platform/events.ts'
import { schema } from '../schema.ts'
import { attachRealtime } from './realtime.ts'

const WATCH = 'subscription { uploadChanged { id } }'

let server: TestServer
let address: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const http = serve({ fetch: server.app.fetch, port: 0 }) as Server
  const realtime = attachRealtime(http, server.parts, schema)
  await new Promise((resolve) => http.once('listening', resolve))
  address = `ws://localhost:${(http.address() as AddressInfo).port}/graphql`
  afterAll(async () => {
    await realtime.stop()
    http.close()
  })
})

async function tokenOf(email: string): Promise<string> {
  const client = await server.signIn(email)
  return ((await (await client.fetch('/api/token')).json()) as { id_token: string }).id_token
}

/** The ids that reach somebody, as an outside client receives them. */
async function watch(email: string) {
  const token = await tokenOf(email)
  const seen: (string | null)[] = []
  let closed: number | undefined
  const client = createClient({
    url: address,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${token}` },
    retryAttempts: 0,
    on: { closed: (event) => (closed = (event as { code: number }).code) },
  })
  let ended = false
  client.subscribe<{ uploadChanged: { id: string | null } }>(
    { query: WATCH },
    {
      next: ({ data }) => seen.push(data?.uploadChanged.id ?? null),
      error: () => (ended = true),
      complete: () => (ended = true),
    },
  )
  afterAll(() => void client.dispose())
  return { seen, hasEnded: () => ended, closedWith: () => closed }
}

const tell = (id: string) => announce(server.db, { kind: 'upload', id, patientId: null, institutionId: null })

/** Repeats the announcement until it arrives: the subscription may still be under way when the first one is made. */
async function arrives(seen: (string | null)[], id: string): Promise<void> {
  const tellAndLook = async () => {
    await tell(id)
    return seen
  }
  await expect.poll(tellAndLook, { timeout: 10_000 }).toContain(id)
}

describe('realtime', () => {
  it('tells a reviewer what changed, and an institution nothing of what it may not see [6.4]', async () => {
    const reviewer = await watch((await makeUser(server.db, { features: ['admin::review-files'] })).email)
    const institution = await watch((await makeUser(server.db, { role: 'institution' })).email)
    const { id } = await makeUpload(server.db, server.parts.storage)
    await arrives(reviewer.seen, id)
    expect(institution.seen.filter(Boolean)).toEqual([])
  })

  it('ends with the session: a suspended account hears nothing more', async () => {
    const user = await makeUser(server.db, { features: ['admin::review-files'] })
    const watching = await watch(user.email)
    const { id } = await makeUpload(server.db, server.parts.storage)
    await arrives(watching.seen, id)
    await server.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', user.id).execute()
    const later = await makeUpload(server.db, server.parts.storage)
    const tellAndAsk = async () => {
      await tell(later.id)
      return watching.hasEnded()
    }
    await expect.poll(tellAndAsk, { timeout: 10_000 }).toBe(true)
    expect(watching.seen).not.toContain(later.id)
  })

  it('closes with 4401 where the token is missing or wrong', async () => {
    for (const authorization of [undefined, 'Bearer x.y.z']) {
      const socket = new WebSocket(address, 'graphql-transport-ws')
      const closed = new Promise<number>((resolve) => socket.once('close', resolve))
      socket.once('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
      )
      expect(await closed).toBe(4401)
    }
  })

  it('turns a page of another origin away before the upgrade', async () => {
    const socket = new WebSocket(address, 'graphql-transport-ws', { origin: 'https://evil.example' })
    const status = new Promise((resolve) =>
      socket.once('unexpected-response', (_req, res) => resolve(res.statusCode)),
    )
    socket.once('error', () => undefined)
    expect(await status).toBe(403)
  })

  it('outlives callers who hang up while they are being turned away', async () => {
    const { hostname, port } = new URL(address)
    const hangUp = () =>
      new Promise((resolve) => {
        const socket = connect(Number(port), hostname, () => {
          socket.write(
            'GET /nope HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
          )
          socket.write('x'.repeat(100_000), () => socket.resetAndDestroy())
        })
        socket.on('error', () => undefined).on('close', resolve)
      })
    // An error that nobody takes would end this process, and with it the run.
    for (let caller = 0; caller < 50; caller += 1) await hangUp()
    const reviewer = await watch((await makeUser(server.db, { features: ['admin::review-files'] })).email)
    await arrives(reviewer.seen, (await makeUpload(server.db, server.parts.storage)).id)
  })

  it('runs subscriptions only', async () => {
    const token = await tokenOf((await makeUser(server.db)).email)
    const client = createClient({
      url: address,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
    })
    const answers = client.iterate({ query: '{ me { id } }' })
    await expect(answers.next()).rejects.toMatchObject([{ message: 'only subscriptions use the websocket' }])
    await client.dispose()
  })

  it('tells whoever listens to read anew after a break', async () => {
    const reviewer = await watch((await makeUser(server.db, { features: ['admin::review-files'] })).email)
    const { id } = await makeUpload(server.db, server.parts.storage)
    await arrives(reviewer.seen, id)
    reviewer.seen.length = 0
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'dosar-events' and datname = current_database()`.execute(
      server.db,
    )
    await expect.poll(() => reviewer.seen, { timeout: 10_000 }).toContain(null)
    await arrives(reviewer.seen, id)
  })
})
