import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import WebSocket from 'ws'
import { makeEmptyUpload, makeUpload, makeUser } from '../../../db/factories.ts'
import { CLOSE } from '../../../shared/close-codes.ts'
import { INTAKE_PATH } from '../../../shared/integrations.ts'
import { SHARES_PATH } from '../../../shared/shares/shares.ts'
import type { TestClient } from '../../../test/client.ts'
import { WITHDRAW_UPLOAD } from '../../../test/documents.ts'
import { createIntegration, formOf } from '../../../test/integrations/send-documents.ts'
import { countHeldLocks } from '../../../test/locks/lock-waits.ts'
import { type MainProcess, PATIENCE_MS, startMain } from '../../../test/processes/main-process.ts'
import { connectTo, createWorkerClient, workersOf } from '../../../test/processes/worker-requests.ts'
import { beginPatch } from '../../../test/real-http.ts'
import { sha256 } from '../../../test/sha256.ts'
import { END_SHARES, makeShareWorld } from '../../../test/shares/share-world.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { tusRequests } from '../../../test/tus.ts'
import { createUser } from '../../../test/users.ts'
import { IDLE_TIMEOUT_MS } from '../../features/uploads/transfers/append-bytes.ts'
import { chooseWorkers } from './choose-workers.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2
/** More than the buffers of a connection hold. */
const LARGE = 64 * MIB
const REVIEWER: Parameters<TestServer['signInAs']>[0] = {
  role: 'staff',
  features: ['admin::review-files', 'patient::files'],
}

it('as many workers are chosen as leave a core and half of the memory', () => {
  expect(chooseWorkers(1, 64 * GIB)).toBe(1)
  expect(chooseWorkers(2, 64 * GIB)).toBe(1)
  expect(chooseWorkers(4, 64 * GIB)).toBe(3)
  expect(chooseWorkers(8, 2 * GIB)).toBe(2)
  expect(chooseWorkers(64, 64 * GIB)).toBe(8)
})

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('with two workers', () => {
  let server: TestServer
  let product: MainProcess
  let workers: number[]
  const on = (index: number, of?: Pick<TestClient, 'cookies'>) =>
    createWorkerClient(workers[index]!, product.url, of)

  beforeAll(async () => {
    server = await createTestServer({}, afterAll)
    // With an account no demo is made.
    await makeUser(server.db)
    product = await startMain(server, { WORKERS: '2' }, afterAll)
    await vi.waitFor(() => expect(product.printed()).toContain('Dosar: http'), PATIENCE_MS)
    workers = await workersOf(product)
  }, PATIENCE_MS)

  it('both answer', async () => {
    expect(workers).toHaveLength(2)
    for (const index of [0, 1]) expect((await on(index).get('/healthz')).status).toBe(200)
  })

  it('failed sign-ins count at both together', async () => {
    const { email } = await createUser(server.db, { email: 'incearca@dosar.test' })
    for (const index of [0, 1, 0, 1, 0, 1]) await on(index).signIn(email, 'greșită')
    const { failures } = await server.db
      .selectFrom('sign_in_throttle')
      .where('kind', '=', 'account')
      .select('failures')
      .executeTakeFirstOrThrow()
    expect(failures).toBe(5)
    // The right password too has to wait, at either of them.
    const { url } = await on(1).signIn(email)
    expect(url.searchParams.has('error')).toBe(true)
  })

  it('a change at one is seen at the other', async () => {
    const reader = await server.signInAs(REVIEWER)
    const { seen } = await subscribe(workers[0]!, product.url, on(0, reader))
    const { id } = await makeUpload(server.db, server.services.storage)
    await on(1, reader).runQuery(WITHDRAW_UPLOAD, { id })
    await expect.poll(() => seen, { timeout: PATIENCE_MS }).toContain(id)
  })

  it.each([
    ['the session ends', (reader: TestClient) => reader.post('/api/auth/signout')],
    ['the upload is withdrawn', withdraw],
  ])('a download is cut when %s at the other', async (_when, revoke) => {
    const { upload, institution } = await makeShareWorld(server, { files: [{ bytes: randomBytes(LARGE) }] })
    const reader = await server.signInAs({ role: 'institution', institutionIds: [institution.id] })
    const body = await download(on(0, reader), `/files/${upload.files[0]!.id}`)
    await revoke(on(1, reader), on(1, await server.signInAs(REVIEWER)), upload.id)
    expect(await countToEnd(body)).toBeLessThan(LARGE / 2)
  })

  it('a download through a link is cut when the link ends at the other', async () => {
    const world = await makeShareWorld(server, { files: [{ bytes: randomBytes(LARGE) }] })
    const { id, token } = await world.create()
    const recipient = world.browser()
    await recipient.prove(token, '1961-04-23')
    const path = `${SHARES_PATH}/${token}/files/${world.upload.files[0]!.id}`
    const body = await download(on(0, recipient.client), path)
    await on(1, world.client).runQuery(END_SHARES, { ids: [id], reason: 'Greșit' })
    expect(await countToEnd(body)).toBeLessThan(LARGE / 2)
  })

  it('the socket of a session closes when it ends at the other', async () => {
    const reader = await server.signInAs(REVIEWER)
    const { closed } = await subscribe(workers[0]!, product.url, on(0, reader))
    await on(1, reader).post('/api/auth/signout')
    expect(await closed).toBe(CLOSE.unauthorized.code)
  })

  it('a file that one has begun to receive is finished by the other, also while its sender is silent', async () => {
    const registrar = await server.signInAs({ role: 'staff', features: ['patient::files'] })
    const upload = await makeEmptyUpload(server.db, { created_by: registrar.id })
    const bytes = randomBytes(2 * MIB)
    const path = await tusRequests(on(0, registrar).fetch).begin(upload.id, bytes)
    await beginPatch(`${product.url}${path}`, registrar.cookie, {
      offset: 0,
      length: bytes.length,
      sent: bytes.subarray(0, MIB),
      connection: await connectTo(workers[0]!, product.url),
    })
    const other = tusRequests(on(1, registrar).fetch)
    // Long before the sender counts as disconnected.
    const offset = await vi.waitFor(() => other.offset(path), { timeout: IDLE_TIMEOUT_MS / 2 })
    expect(offset).toBe(MIB)
    expect((await other.patch(path, offset, bytes.subarray(offset))).status).toBe(204)
    const files = await server.db
      .selectFrom('file')
      .select('sha256')
      .where('upload_id', '=', upload.id)
      .execute()
    expect(files.map((file) => file.sha256)).toEqual([sha256(bytes)])
  })

  it('a program has four requests at a time at both together', async () => {
    const { headers } = await createIntegration(server)
    const document = { file: Buffer.from('rezultat'), facts: {} }
    const sendAnother = async () =>
      (await on(1).fetch(INTAKE_PATH, { method: 'POST', headers: headers('5'), body: formOf(document) }))
        .status
    const countHeld = () => countHeldLocks(server.db)
    await expect.poll(countHeld, { timeout: PATIENCE_MS }).toBe(0)
    const held = await Promise.all(
      [0, 1, 0, 1].map(async (index, key) => {
        const connection = await connectTo(workers[index]!, product.url)
        const unfinished = request(`${product.url}${INTAKE_PATH}`, {
          method: 'POST',
          headers: { ...headers(String(key)), 'content-type': 'multipart/form-data; boundary=x' },
          createConnection: () => connection,
        })
        onTestFinished(() => void unfinished.on('error', () => undefined).destroy())
        unfinished.write('--x\r\n')
        return unfinished
      }),
    )
    // Another that comes before them would be one of the four.
    await expect.poll(countHeld, { timeout: PATIENCE_MS }).toBe(4)
    expect(await sendAnother()).toBe(429)
    held[0]!.on('error', () => undefined).destroy()
    await expect.poll(sendAnother, { timeout: PATIENCE_MS }).toBeLessThan(300)
  })

  it('one that is killed is started again', async () => {
    const [killed, kept] = workers as [number, number]
    process.kill(killed, 'SIGKILL')
    await expect.poll(async () => (await workersOf(product)).length, { timeout: PATIENCE_MS }).toBe(1)
    await expect.poll(async () => (await workersOf(product)).length, { timeout: PATIENCE_MS }).toBe(2)
    workers = await workersOf(product)
    expect(workers).toContain(kept)
    expect(workers).not.toContain(killed)
    for (const index of [0, 1]) expect((await on(index).get('/healthz')).status).toBe(200)
  })
})

it.each(['stop', 'kill'] as const)(
  'no worker is left after a %s of the main process',
  async (how) => {
    const server = await createTestServer()
    await makeUser(server.db)
    const product = await startMain(server, { WORKERS: '2' })
    await expect.poll(() => product.printed(), { timeout: PATIENCE_MS }).toContain('Dosar: http')
    const workers = await workersOf(product)
    expect(workers).toHaveLength(2)
    await product[how]()
    await expect.poll(() => workers.filter(isRunning), { timeout: PATIENCE_MS }).toEqual([])
    expect(product.printed()).not.toMatch(/"level":"(warn|error)"/)
  },
  PATIENCE_MS,
)

/** Opens a socket at this worker, and resolves once its subscription gets events. */
async function subscribe(worker: number, url: string, reader: TestClient) {
  const connection = await connectTo(worker, url)
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
    createConnection: () => connection,
  })
  onTestFinished(() => socket.terminate())
  const seen: string[] = []
  let isReady = false
  socket.on('message', (data) => {
    const { type, payload } = JSON.parse(String(data))
    if (type === 'connection_ack') isReady = true
    if (type === 'next') seen.push(payload.data.uploadChanged.id)
  })
  const closed = once(socket, 'close').then(([code]) => code as number)
  await once(socket, 'open')
  const authorization = await reader.authorization('realtime')
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }))
  await expect.poll(() => isReady).toBe(true)
  const query = 'subscription { uploadChanged { id } }'
  socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
  // The response to a ping comes after the subscription has begun.
  socket.ping()
  await once(socket, 'pong')
  return { seen, closed }
}

const withdraw = (_reader: TestClient, reviewer: TestClient, id: string) =>
  reviewer.runQuery(WITHDRAW_UPLOAD, { id })

/** Begins a download, and reads its first bytes. */
async function download(reader: TestClient, path: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await reader.get(path)
  expect(response.status).toBe(200)
  const body = response.body!.getReader()
  await body.read()
  return body
}

/** Returns how many bytes still arrive, also where the connection breaks. */
async function countToEnd(body: ReadableStreamDefaultReader<Uint8Array>): Promise<number> {
  let count = 0
  try {
    for (let read = await body.read(); !read.done; read = await body.read()) {
      count += read.value.length
      await pause(1)
    }
  } catch {
    // It was cut.
  }
  return count
}
