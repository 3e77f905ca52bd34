import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { makeAccountLink } from '../../db/factories.ts'
import { createTestServer } from '../../test/harness.ts'
import { beginPatch } from '../../test/real-http.ts'
import { giveSecondFactor } from '../../test/second-factor.ts'
import { tusRequests } from '../../test/tus.ts'
import { createUpload } from '../../test/upload-fixtures.ts'
import { createUser } from '../../test/users.ts'
import { createVisitor } from '../../test/visitor.ts'
import { schema } from '../schema.ts'
import { attachRealtime, leavesHttp } from './realtime.ts'

const SUSPEND = 'mutation ($id: ID!) { suspendUser(userId: $id) { status } }'
const UPDATE = `mutation ($id: ID!, $version: Int!, $user: UserInput!) {
  updateUser(id: $id, version: $version, user: $user) { version } }`

/** A house with an administrator and somebody who is about to lose their rights, behind real connections. */
async function start() {
  const server = await createTestServer()
  const serverOptions = { shouldUpgradeCallback: leavesHttp }
  const http = serve({ fetch: server.app.fetch, port: 0, serverOptions }) as Server
  const realtime = attachRealtime(http, server.parts, schema)
  if (!http.listening) await once(http, 'listening')
  onTestFinished(async () => {
    await realtime.stop()
    http.closeAllConnections()
    http.close()
  })
  await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
  const person = await createUser(server.db, { email: 'pleaca@clinica.test', features: ['patient::share'] })
  const client = await server.signIn(person.email)
  const { id_token: token } = (await (await client.fetch('/api/token')).json()) as { id_token: string }
  const host = `localhost:${(http.address() as AddressInfo).port}`

  const openSocket = async () => {
    const socket = new WebSocket(`ws://${host}/graphql`, 'graphql-transport-ws')
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } }))
    expect(JSON.parse(String((await once(socket, 'message'))[0])).type).toBe('connection_ack')
    return { closed }
  }
  const ask = (query: string) =>
    server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  return { ...server, admin: await server.signIn('sefa@clinica.test'), person, client, host, openSocket, ask }
}

it('stops every credential of a suspended account at once: cookie, id_token, websocket, files under way', async () => {
  const { db, admin, person, client, host, openSocket, ask } = await start()
  const { closed } = await openSocket()
  const bytes = randomBytes(2_000)
  const tus = tusRequests(client.fetch)
  const uploadId = await createUpload(db, { createdBy: person.id })
  const [waiting, running] = [await tus.begin(uploadId, bytes), await tus.begin(uploadId, bytes)]
  await tus.patch(waiting, 0, bytes.subarray(0, 500))
  const patch = await beginPatch(`http://${host}${running}`, client.cookie, {
    offset: 0,
    length: bytes.length,
    sent: bytes.subarray(0, 500),
  })

  // What nobody announces is found within seconds: here only what is announced counts.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect((await admin.graphql(SUSPEND, { id: person.id })).errors).toEqual([])
  expect(await closed).toBe(4401)
  vi.useRealTimers()
  expect((await ask('{ me { id } }')).status).toBe(401)
  expect(await (await client.fetch('/api/auth/session')).json()).toBeNull()
  expect(await (await client.fetch('/api/token')).json()).toEqual({ expires_at: null, id_token: null })
  expect((await tus.head(waiting)).status).toBe(401)
  expect((await tus.patch(waiting, 500, bytes.subarray(500))).status).toBe(401)
  expect((await tus.createWithBody(uploadId, bytes)).status).toBe(401)
  // The file that was on its way when it happened does not arrive.
  patch.finish(bytes.subarray(500))
  expect(await patch.answer).toBe(401)
  expect(await db.selectFrom('file').select('id').execute()).toEqual([])
})

it('ends half sign-ins and links of a suspended account for good', async () => {
  const server = await start()
  const { db, admin, person } = server
  const application = await giveSecondFactor(server, person)
  const visitor = createVisitor(server)
  expect((await visitor.signIn(person.email)).url.searchParams.get('code')).toBe('second-factor')
  const token = await makeAccountLink(db, { user_id: person.id, purpose: 'reset' })
  await admin.graphql(SUSPEND, { id: person.id })
  await admin.graphql('mutation ($id: ID!) { reactivateUser(userId: $id) { status } }', { id: person.id })
  const proved = await visitor.post('/api/auth/callback/second-factor', { code: application.code() })
  expect(proved.url.searchParams.get('code')).toBe('second-factor-expired')
  const form = { token, password: 'un drum lung spre casă' }
  const opened = await createVisitor(server).post('/api/auth/callback/link', form)
  expect(opened.url.searchParams.get('code')).toBe('link')
})

it('takes back what an open page may see with the feature, and lets it come back as what it is now', async () => {
  const { admin, person, openSocket, ask } = await start()
  const { closed } = await openSocket()
  const { email, name, role } = person
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await admin.graphql(UPDATE, {
    id: person.id,
    version: 1,
    user: { email, name, role, features: ['admin::review-files'] },
  })
  expect(await closed).toBe(4499)
  vi.useRealTimers()
  const answer = (await (await ask('{ me { features } }')).json()) as { data: unknown }
  expect(answer.data).toEqual({ me: { features: ['admin::review-files'] } })
})
