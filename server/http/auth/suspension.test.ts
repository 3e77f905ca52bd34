import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import {
  makeAccountLink,
  makeEmptyUpload,
  makeInstitution,
  makePatient,
  makeReferral,
  makeUpload,
} from '../../../db/factories.ts'
import { createTestClient } from '../../../test/client.ts'
import { countHeldLocks } from '../../../test/locks/lock-waits.ts'
import { beginPatch } from '../../../test/real-http.ts'
import { enableSecondFactor } from '../../../test/second-factor.ts'
import { createTestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { schema } from '../../schema.ts'
import { attachRealtime, isWebSocketUpgrade } from '../realtime/realtime.ts'

const SUSPEND = 'mutation ($id: ID!) { suspendUser(userId: $id) { status } }'
const UPDATE = `mutation ($id: ID!, $version: Int!, $user: UserInput!) {
  updateUser(id: $id, version: $version, user: $user) { version } }`

const SUSPEND_INSTITUTION = `mutation ($id: ID!, $version: Int!) {
  suspendInstitution(id: $id, version: $version) { version suspendedAt } }`
const REACTIVATE_INSTITUTION = `mutation ($id: ID!, $version: Int!) {
  reactivateInstitution(id: $id, version: $version) { version suspendedAt } }`
const INBOX = '{ inbox { nodes { id } } }'

/**
 * An organisation with an administrator and a user who is about to lose permissions, over real connections.
 */
async function start(institutions = 0) {
  const server = await createTestServer()
  const serverOptions = { shouldUpgradeCallback: isWebSocketUpgrade }
  const http = serve({ fetch: server.app.fetch, port: 0, serverOptions }) as Server
  const realtime = attachRealtime(http, server.services, schema)
  if (!http.listening) await once(http, 'listening')
  onTestFinished(async () => {
    await realtime.stop()
    http.closeAllConnections()
    http.close()
  })
  await createUser(server.db, { email: 'sefa@clinica.test', role: 'admin' })
  const clinics = await Promise.all(Array.from({ length: institutions }, () => makeInstitution(server.db)))
  const person = await createUser(server.db, {
    email: 'pleaca@clinica.test',
    ...(institutions > 0
      ? { role: 'institution', institutionIds: clinics.map(({ id }) => id) }
      : { features: ['patient::files'] }),
  })
  const client = await server.signIn(person.email)
  const { id_token: token } = (await (await client.fetch('/api/token')).json()) as { id_token: string }
  const realtimeToken = await client.authorization('realtime')
  const host = `localhost:${(http.address() as AddressInfo).port}`

  const openSocket = async () => {
    const socket = new WebSocket(`ws://${host}/graphql`, 'graphql-transport-ws')
    onTestFinished(() => socket.terminate())
    const closed = once(socket, 'close').then(([code]) => code as number)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: realtimeToken } }))
    expect(JSON.parse(String((await once(socket, 'message'))[0])).type).toBe('connection_ack')
    return { closed }
  }
  const query = (query: string) =>
    server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
  const admin = await server.signIn('sefa@clinica.test')
  return { ...server, admin, person, clinics, client, host, openSocket, query }
}

it('stops every credential of a suspended account at once: cookie, id_token, websocket, running transfers', async () => {
  const { db, admin, person, client, host, openSocket, query } = await start()
  const { closed } = await openSocket()
  const bytes = randomBytes(2_000)
  const tus = tusRequests(client.fetch)
  const { id: uploadId } = await makeEmptyUpload(db, { created_by: person.id })
  const [waiting, running] = [await tus.begin(uploadId, bytes), await tus.begin(uploadId, bytes)]
  await tus.patch(waiting, 0, bytes.subarray(0, 500))
  const patch = await beginPatch(`http://${host}${running}`, client.cookie, {
    offset: 0,
    length: bytes.length,
    sent: bytes.subarray(0, 500),
  })

  // Unpublished changes are found within seconds; this test counts only published ones.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  expect((await admin.graphql(SUSPEND, { id: person.id })).errors).toEqual([])
  expect(await closed).toBe(4401)
  vi.useRealTimers()
  expect((await query('{ me { id } }')).status).toBe(401)
  expect(await (await client.fetch('/api/auth/session')).json()).toBeNull()
  expect(await (await client.fetch('/api/token')).json()).toEqual({ expires_at: null, id_token: null })
  expect(await (await client.fetch('/api/auth/end')).json()).toEqual({ reason: 'suspended' })
  expect((await tus.head(waiting)).status).toBe(401)
  expect((await tus.patch(waiting, 500, bytes.subarray(500))).status).toBe(401)
  expect((await tus.createWithBody(uploadId, bytes)).status).toBe(401)
  // The file that was being sent at the suspension does not arrive.
  patch.finish(bytes.subarray(500))
  expect(await patch.status).toBe(401)
  expect(await db.selectFrom('file').select('id').execute()).toEqual([])
})

it('ends pending sign-ins and links of a suspended account permanently', async () => {
  const server = await start()
  const { db, admin, person } = server
  const application = await enableSecondFactor(server, person)
  const visitor = createTestClient(server)
  expect((await visitor.signIn(person.email)).url.searchParams.get('code')).toBe('second-factor')
  const token = await makeAccountLink(db, { user_id: person.id, purpose: 'reset' })
  await admin.graphql(SUSPEND, { id: person.id })
  await admin.graphql('mutation ($id: ID!) { reactivateUser(userId: $id) { status } }', { id: person.id })
  const proved = await visitor.post('/api/auth/callback/second-factor', { code: application.code() })
  expect(proved.url.searchParams.get('code')).toBe('second-factor-expired')
  const form = { token, password: 'un drum lung spre casă' }
  const opened = await createTestClient(server).post('/api/auth/callback/link', form)
  expect(opened.url.searchParams.get('code')).toBe('link')
})

it('closes an open page that loses a feature, which may reconnect with the current permissions', async () => {
  const { admin, person, openSocket, query } = await start()
  const { closed } = await openSocket()
  const { email, name, role } = person
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  await admin.graphql(UPDATE, {
    id: person.id,
    version: 1,
    user: { email, name, role, features: ['admin::review-files'] },
  })
  expect(await closed).toBe(4499)
  vi.useRealTimers()
  const response = (await (await query('{ me { features } }')).json()) as { data: unknown }
  expect(response.data).toEqual({ me: { features: ['admin::review-files'] } })
})

/** Unpublished changes are found within seconds; these tests count only published ones. */
async function withoutLaterLooks<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const done = await work()
  vi.useRealTimers()
  return done
}

it('stops every credential of users whose only institution is suspended, at once and permanently', async () => {
  const server = await start(1)
  const { db, admin, person, clinics, client, host, openSocket, query } = server
  const id = clinics[0]!.id
  const patient = await makePatient(db)
  await makeReferral(db, { patient_id: patient.id, institution_id: id })
  const released = await makeUpload(db, server.services.storage, {
    created_by: person.id,
    patient_id: patient.id,
    institution_id: id,
    state: 'released',
  })
  const file = released.files[0]!
  expect((await client.fetch(`/files/${file.id}`)).status).toBe(200)
  const bytes = randomBytes(1_000)
  // Created while the user was staff; the user now belongs to an institution.
  const { id: begun } = await makeEmptyUpload(db, { created_by: person.id })
  await db
    .updateTable('app_user')
    .set({ role: 'staff', features: ['patient::files'] })
    .where('id', '=', person.id)
    .execute()
  const tus = tusRequests(client.fetch)
  const running = await tus.begin(begun, bytes)
  const patch = await beginPatch(`http://${host}${running}`, client.cookie, {
    offset: 0,
    length: bytes.length,
    sent: bytes.subarray(0, 500),
  })
  // The request is authorised before it takes the lock of the transfer.
  await expect.poll(() => countHeldLocks(db)).toBe(1)
  await db.updateTable('app_user').set({ role: 'institution' }).where('id', '=', person.id).execute()
  const { closed } = await openSocket()

  await withoutLaterLooks(async () => {
    expect((await admin.graphql(SUSPEND_INSTITUTION, { id, version: 1 })).errors).toEqual([])
    expect(await closed).toBe(4401)
  })
  const isOut = async () => {
    expect((await query(INBOX)).status).toBe(401)
    expect(await (await client.fetch('/api/auth/session')).json()).toBeNull()
    expect(await (await client.fetch('/api/token')).json()).toEqual({ expires_at: null, id_token: null })
    for (const path of [`/files/${file.id}`, `/files/${file.id}/preview`, `/files/zip/${released.id}`])
      expect((await client.fetch(path)).status).toBe(401)
    expect((await tus.head(running)).status).toBe(401)
  }
  await isOut()
  patch.finish(bytes.subarray(500))
  expect(await patch.status).toBe(401)
  expect((await createTestClient(server).signIn(person.email)).url.searchParams.get('error')).not.toBeNull()

  await admin.graphql(REACTIVATE_INSTITUTION, { id, version: 2 })
  await isOut()
  const again = createTestClient(server)
  expect((await again.signIn(person.email)).url.searchParams.get('error')).toBeNull()
  expect((await again.get(`/files/${file.id}`)).status).toBe(200)
})

it('leaves a user of two institutions only the active one, on open pages too', async () => {
  const { admin, db, person, clinics, client, openSocket } = await start(2)
  const [ours, other] = clinics
  const patient = await makePatient(db)
  const made: string[] = []
  for (const clinic of clinics) {
    await makeReferral(db, { patient_id: patient.id, institution_id: clinic.id })
    const whose = { created_by: person.id, patient_id: patient.id, institution_id: clinic.id }
    made.push((await makeEmptyUpload(db, { ...whose, state: 'released' })).id)
  }
  const inbox = async () => (await client.graphql(INBOX)).data.inbox.nodes.map(({ id }: { id: string }) => id)
  expect((await inbox()).sort()).toEqual([...made].sort())
  const { closed } = await openSocket()
  await withoutLaterLooks(async () => {
    await admin.graphql(SUSPEND_INSTITUTION, { id: ours!.id, version: 1 })
    expect(await closed).toBe(4499)
  })
  expect(await inbox()).toEqual([made[1]])
  const reopened = await openSocket()
  await withoutLaterLooks(async () => {
    await admin.graphql(REACTIVATE_INSTITUTION, { id: ours!.id, version: 2 })
    expect(await reopened.closed).toBe(4499)
  })
  expect((await inbox()).sort()).toEqual([...made].sort())
  // The last active institution decides, in any order of suspensions.
  for (const [clinic, version] of [
    [other, 1],
    [ours, 3],
  ] as const)
    await admin.graphql(SUSPEND_INSTITUTION, { id: clinic!.id, version })
  expect(await (await client.fetch('/api/auth/session')).json()).toBeNull()
})

it('ends pending sign-ins and links of users whose institution is suspended, permanently', async () => {
  const server = await start(1)
  const { db, admin, person, clinics } = server
  const application = await enableSecondFactor(server, person)
  const visitor = createTestClient(server)
  await visitor.signIn(person.email)
  const token = await makeAccountLink(db, { user_id: person.id, purpose: 'reset' })
  const form = { token, password: 'un drum lung spre casă' }
  const tryAll = async () => {
    const proved = await visitor.post('/api/auth/callback/second-factor', { code: application.code() })
    const opened = await createTestClient(server).post('/api/auth/callback/link', form)
    return [proved.url.searchParams.get('code'), opened.url.searchParams.get('code')]
  }
  await admin.graphql(SUSPEND_INSTITUTION, { id: clinics[0]!.id, version: 1 })
  expect(await tryAll()).toEqual(['second-factor-expired', 'link'])
  await admin.graphql(REACTIVATE_INSTITUTION, { id: clinics[0]!.id, version: 2 })
  expect(await tryAll()).toEqual(['second-factor-expired', 'link'])
})
