import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { createClient, type SubscribePayload } from 'graphql-ws'
import WebSocket from 'ws'
import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { CLOSE, isFatalClose } from '../../shared/close-codes.ts'
import type { TestClient } from '../../test/client.ts'
import { CREATE_UPLOAD } from '../../test/documents.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { makePerson } from '../harness/people.ts'
import { startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const CHANGES = 'subscription ($patientId: ID) { uploadChanged(patientId: $patientId) { id patientId } }'
/** The time allowed between the end of a delay and the next attempt, which first checks the session. */
const LATE_MS = 1_500

type Change = { id: string | null; patientId: string | null }
type Listener = {
  /** Ends the subscription; the connection closes with its last subscription. */
  end(): void
  /** The number of connections so far. */
  connections: number
  closes: number[]
  changes: Change[]
  /** What ended the subscription. */
  ended: unknown
}

const socketOf = (url: string) => `${url.replace(/^http/, 'ws')}/graphql`

/** Subscribes with `graphql-ws` and its defaults, except for shorter delays. */
function listen(
  url: string,
  authorization: () => string | Promise<string>,
  patientId: string | null = null,
): Listener {
  const listener: Omit<Listener, 'end'> = { connections: 0, closes: [], changes: [], ended: null }
  const client = createClient({
    url: socketOf(url),
    webSocketImpl: WebSocket,
    connectionParams: async () => ({ authorization: await authorization() }),
    shouldRetry: (event) => !isFatalClose((event as { code?: number }).code ?? 0),
    retryAttempts: 100,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 200)),
    on: {
      connected: () => (listener.connections += 1),
      closed: (event) => listener.closes.push((event as { code: number }).code),
    },
  })
  const payload: SubscribePayload = { query: CHANGES, variables: { patientId } }
  const end = client.subscribe<{ uploadChanged: Change }>(payload, {
    next: ({ data }) => data && listener.changes.push(data.uploadChanged),
    error: (error) => (listener.ended = error),
    complete: () => undefined,
  })
  return Object.assign(listener, { end })
}

const bearer = (outsider: TestClient) => async () => await outsider.authorization('realtime')

const READ = 'query ($id: ID!) { upload(id: $id) { version title } }'
const EDIT =
  'mutation ($id: ID!, $version: Int!, $upload: UploadInput!) { editUpload(id: $id, version: $version, upload: $upload) { id } }'
const ACCEPT =
  'mutation ($id: ID!, $version: Int!) { acceptUpload(id: $id, version: $version, reason: "compared-original", comment: "cu originalul") { state } }'

/** Makes an upload that its author has begun, with a function to change it. */
async function makeDraft(author: TestClient, patientId: string | null = null) {
  const facts = { title: 'Radiografie', patientId }
  const id: string = (await author.runQuery(CREATE_UPLOAD, { upload: facts })).createUpload.id
  const change = async () => {
    const { version } = (await author.runQuery(READ, { id })).upload
    await author.runQuery(EDIT, { id, version, upload: { ...facts, note: `Varianta ${version}` } })
  }
  return { id, change }
}

type Draft = Awaited<ReturnType<typeof makeDraft>>

/** Changes the upload until an event arrives: the protocol does not report when a subscription has begun. */
async function changeUntilHeard({ id, change }: Draft, listener: Listener): Promise<void> {
  listener.changes.length = 0
  await expect
    .poll(async () => {
      await change()
      return listener.changes.map((heard) => heard.id)
    })
    .toContain(id)
}

test.describe('a subscription', () => {
  test('notifies only users who may see an upload of its change [7.9] [6.4]', async ({ product, client }) => {
    const registrar = await client(REGISTRAR)
    const patient = await makeReferredPatient(product, INSTITUTION)
    const author = listen(product.url, bearer(await signInClient(product.url, REGISTRAR)), patient.id)
    const institution = listen(product.url, bearer(await signInClient(product.url, INSTITUTION)))
    const listeners = [author, institution]
    try {
      const other = await makeDraft(registrar)
      const draft = await makeDraft(registrar, patient.id)
      await changeUntilHeard(draft, author)
      await other.change()
      const document = await makeReport(
        dirname(test.info().outputPath('raport.pdf')),
        'raport.pdf',
        patient.name,
        1,
      )
      const { uploadId } = await uploadDocument(registrar, patient, 'Raport', document)
      await expect.poll(() => author.changes.map(({ id }) => id)).toContain(uploadId)
      expect(new Set(author.changes.map(({ patientId }) => patientId))).toEqual(new Set([patient.id]))
      expect(institution.changes).toEqual([])

      // Once released, the institution may see it.
      const reviewer = await client(REVIEWER)
      const { version } = (await reviewer.runQuery(READ, { id: uploadId })).upload
      await reviewer.runQuery(ACCEPT, { id: uploadId, version })
      await expect.poll(() => institution.changes.map(({ id }) => id)).toContain(uploadId)
      expect(institution.changes.filter(({ id }) => id !== uploadId)).toEqual([])
    } finally {
      for (const { end } of listeners) end()
    }
  })

  test('gets an error message for an operation that is no subscription, and the others continue', async ({
    product,
  }) => {
    const outsider = await signInClient(product.url, REVIEWER)
    const client = createClient({
      url: socketOf(product.url),
      webSocketImpl: WebSocket,
      connectionParams: async () => ({ authorization: await bearer(outsider)() }),
    })
    const runQuery = (query: string) =>
      new Promise((resolve) =>
        client.subscribe({ query }, { next: resolve, error: resolve, complete: () => undefined }),
      )
    for (const query of ['{ me { id } }', 'subscription { nothing }', 'mutation { endOtherSessions }', '{']) {
      expect(await runQuery(query), query).toEqual([expect.objectContaining({ message: expect.any(String) })])
    }
    await client.dispose()
  })
})

test.describe('the server closes', () => {
  const open = async (url: string, protocol: string | string[] = 'graphql-transport-ws') => {
    const socket = new WebSocket(socketOf(url), protocol)
    const closed = once(socket, 'close') as Promise<[number, Buffer]>
    await once(socket, 'open')
    const send = (...messages: unknown[]) => {
      for (const message of messages) {
        socket.send(typeof message === 'string' ? message : JSON.stringify(message))
      }
    }
    return { socket, send, code: async () => (await closed)[0] }
  }

  test('with 4406 for another subprotocol or none [7.9] [8.14]', async ({ product: { url } }) => {
    expect(await (await open(url, [])).code()).toBe(4406)
    // A library rejects a response without its protocol before the close, so this handshake is written by hand.
    const upgrade = request(`${url}/graphql`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': 'graphql-ws',
      },
    }).end()
    const [, line, head] = (await once(upgrade, 'upgrade')) as [unknown, Socket, Buffer]
    const frame: Buffer = head.length > 0 ? head : (await once(line, 'data'))[0]
    line.destroy()
    expect([frame[0], frame.readUInt16BE(2)]).toEqual([0x88, 4406])
    const { socket } = await open(url, ['graphql-ws', 'graphql-transport-ws'])
    expect(socket.protocol).toBe('graphql-transport-ws')
    socket.terminate()
  })

  test('with 4401 for a missing or wrong token, once: the library does not reconnect [7.9] [8.14]', async ({
    product: { url },
  }) => {
    for (const authorization of ['', 'Bearer none', 'Bearer ']) {
      const listener = listen(url, () => authorization)
      await expect.poll(() => listener.ended).toMatchObject({ code: 4401, reason: 'Unauthorized' })
      expect([listener.connections, listener.closes]).toEqual([0, [4401]])
    }
    // A cookie is not a token.
    const outsider = await signInClient(url, REVIEWER)
    const cookie = [...outsider.cookies].map((pair) => pair.join('=')).join('; ')
    const socket = new WebSocket(socketOf(url), 'graphql-transport-ws', { headers: { cookie } })
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'connection_init' }))
    const [code] = await once(socket, 'close')
    expect(code).toBe(4401)
  })

  test('with a final code for each error of a client [8.14]', async ({ product: { url } }) => {
    const token = await bearer(await signInClient(url, REVIEWER))()
    const init = { type: 'connection_init', payload: { authorization: token } }
    const subscribe = {
      id: '1',
      type: 'subscribe',
      payload: { query: 'subscription { uploadChanged { id } }' },
    }
    for (const [code, messages] of [
      [4400, ['no json']],
      [4400, [init, { type: 'nothing' }]],
      [4401, [subscribe]],
      [4429, [init, init]],
      [4429, [init, ...Array.from({ length: 100 }, () => ({ type: 'ping' }))]],
    ] as const) {
      const { send, code: closedWith } = await open(url)
      send(...messages)
      expect(await closedWith()).toBe(code)
      expect(isFatalClose(code)).toBe(true)
    }
    const { socket, send, code } = await open(url)
    send(init)
    await once(socket, 'message')
    send(subscribe, subscribe)
    expect(await code()).toBe(4409)
    expect(isFatalClose(4409)).toBe(true)
  })

  test('with 4408 a socket without connection_init within 3 s, and rejects pages of other sites', async ({
    product: { url },
  }) => {
    const { code } = await open(url)
    expect(await code()).toBe(4408)
    expect(isFatalClose(4408)).toBe(false)
    const foreign = new WebSocket(socketOf(url), 'graphql-transport-ws', { origin: 'https://exemplu.test' })
    const [error] = await once(foreign, 'error')
    expect((error as Error).message).toContain('403')
  })

  test('where the account is suspended, with a final code [6.4] [8.14]', async ({ product }) => {
    const { id, email } = await makePerson(product)
    const listener = listen(product.url, bearer(await signInClient(product.url, email)))
    await expect.poll(() => listener.connections).toBe(1)
    await product.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', id).execute()
    await expect.poll(() => listener.ended).toMatchObject({ code: 4401 })
    expect(listener.connections).toBe(1)
  })

  test('the oldest of six sockets of one user, which may reconnect; and a socket with 21 subscriptions', async ({
    product,
  }) => {
    const { email } = await makePerson(product)
    const token = await bearer(await signInClient(product.url, email))()
    const sockets: Awaited<ReturnType<typeof open>>[] = []
    for (let place = 0; place < 6; place += 1) {
      const opened = await open(product.url)
      opened.send({ type: 'connection_init', payload: { authorization: token } })
      await once(opened.socket, 'message')
      sockets.push(opened)
    }
    expect(await sockets[0]!.code()).toBe(CLOSE.displaced.code)
    expect(isFatalClose(CLOSE.displaced.code)).toBe(false)
    const { socket, send } = sockets[1]!
    const refused = once(socket, 'message')
    send(
      ...Array.from({ length: 21 }, (_, place) => ({
        id: String(place),
        type: 'subscribe',
        payload: { query: 'subscription { uploadChanged { id } }' },
      })),
    )
    expect(JSON.parse(String((await refused)[0]))).toMatchObject({
      id: '20',
      type: 'error',
      payload: [{ extensions: { code: 'TOO_MANY' } }],
    })
    for (const { socket } of sockets) socket.terminate()
  })

  test('where rights have changed, and a reconnect uses the new rights [6.4] [8.14]', async ({ product }) => {
    const { id, email } = await makePerson(product)
    const listener = listen(product.url, bearer(await signInClient(product.url, email)))
    await expect.poll(() => listener.connections).toBe(1)
    await product.db.updateTable('app_user').set({ features: [] }).where('id', '=', id).execute()
    await expect.poll(() => listener.connections).toBe(2)
    expect([listener.closes, listener.ended]).toEqual([[CLOSE.rightsChanged.code], null])
    listener.end()
  })
})

test('a client reconnects after any restart of the server and receives events again [8.14]', async () => {
  const product = await startProduct()
  const registrar = await signInClient(product.url, REGISTRAR)
  const outsider = await signInClient(product.url, REGISTRAR)
  const token = await bearer(outsider)()
  const listener = listen(product.url, () => token)
  try {
    const draft = await makeDraft(registrar)
    await changeUntilHeard(draft, listener)
    await product.kill()
    await expect.poll(() => listener.closes.length).toBeGreaterThan(0)
    expect(listener.closes[0]).toBe(1006)
    await product.restart()
    await expect.poll(() => listener.connections, { timeout: 20_000 }).toBe(2)
    await changeUntilHeard(draft, listener)
    listener.closes.length = 0
  } finally {
    await product.stop()
  }
  // An orderly stop closes with a code that is not final.
  await expect.poll(() => listener.closes[0]).toBe(1012)
  expect(isFatalClose(1012)).toBe(false)
  expect(listener.ended).toBeNull()
  listener.end()
})

test('without a configured endpoint no socket is opened, and pages read again on focus [7.9]', async ({
  open,
}) => {
  const product = await startProduct({ REALTIME: 'off' })
  try {
    const page = await open(REVIEWER, { at: product.url })
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await page.goto(`${product.url}/uploads`)
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    const storage = await openDiskStorage(`${product.dataDir}/files`)
    const { title } = await makeUpload(product.db, storage, { state: 'in_review' })
    await expect(page.getByText(title)).toHaveCount(0)
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(page.getByText(title)).toBeVisible()
    expect(sockets).toEqual([])
    const socket = new WebSocket(`${product.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws')
    const [error] = await once(socket, 'error')
    expect(error.message).toContain('404')
  } finally {
    await product.stop()
  }
})

test.describe('the page', () => {
  const table = (page: Page) => page.getByRole('table').getByRole('link').first()

  test('restarts its connection after signing in and after signing out, with the new identity [4.5]', async ({
    open,
  }) => {
    const page = await open(null)
    const sockets: { token: string | undefined; isOpen: boolean }[] = []
    page.on('websocket', (socket) => {
      const seen = { token: undefined as string | undefined, isOpen: true }
      sockets.push(seen)
      socket.on('framesent', ({ payload }) => {
        const { type, payload: said } = JSON.parse(String(payload))
        if (type === 'connection_init') seen.token = said.authorization
      })
      socket.on('close', () => (seen.isOpen = false))
    })
    const live = () => sockets.filter(({ isOpen }) => isOpen)
    const subjectOf = (token = '') =>
      JSON.parse(atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/'))).sub
    const enter = async (email: string) => {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
      await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
      await expect(table(page)).toBeVisible()
    }
    await page.goto('/uploads')
    expect(sockets).toEqual([])
    await enter(REVIEWER)
    await expect.poll(() => live().map(({ token }) => token)).toEqual([expect.stringMatching(/^Bearer ey/)])
    const reviewer = subjectOf(sockets[0]?.token)
    await page
      .getByRole('button', { name: /^Contul meu|Matei/ })
      .filter({ visible: true })
      .click()
    await page.getByRole('menuitem', { name: 'Deconectare' }).click()
    await expect(page.getByRole('heading', { name: 'Sesiune încheiată' })).toBeVisible()
    await expect.poll(live).toEqual([])

    // The page is not reloaded.
    await page.getByRole('link', { name: 'Autentifică-te din nou' }).click()
    await enter(ADMIN)
    await expect.poll(() => live().map(({ token }) => token)).toEqual([expect.stringMatching(/^Bearer ey/)])
    expect(subjectOf(live()[0]?.token)).not.toBe(reviewer)
  })

  test('retries a broken connection five times, after 1 s doubling and 300 to 3000 ms of jitter, and then waits until it is visible [9.6] [8.14]', async ({
    open,
  }) => {
    const page = await open(REVIEWER)
    await page.clock.install()
    await page.routeWebSocket(/\/graphql$/, (socket) =>
      socket.close({ code: 1012, reason: 'Service Restart' }),
    )
    // By the page's fake clock, which also runs in real time.
    await page.addInitScript(() => {
      const waits: number[] = []
      let closedAt: number | undefined
      Object.assign(window, {
        waits,
        WebSocket: class extends WebSocket {
          constructor(url: string | URL, protocols?: string | string[]) {
            super(url, protocols)
            waits.push(closedAt === undefined ? 0 : Date.now() - closedAt)
            this.addEventListener('close', () => {
              closedAt = Date.now()
            })
          }
        },
      })
    })
    const readWaits = () => page.evaluate(() => (window as unknown as { waits: number[] }).waits)
    const countTries = async () => (await readWaits()).length
    await page.goto('/uploads')
    await expect(table(page)).toBeVisible()
    await expect.poll(countTries).toBe(1)
    for (const tries of [2, 3, 4, 5, 6]) {
      await expect
        .poll(
          async () => {
            await page.clock.runFor(1_000)
            return countTries()
          },
          { intervals: [50] },
        )
        .toBe(tries)
    }
    const waits = (await readWaits()).slice(1)
    for (const [retry, pause] of [1_000, 2_000, 4_000, 8_000, 16_000].entries()) {
      expect(waits[retry]).toBeGreaterThanOrEqual(pause + 300)
      expect(waits[retry]).toBeLessThanOrEqual(pause + 3_000 + LATE_MS)
    }
    await page.clock.runFor(120_000)
    expect(await countTries()).toBe(6)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expect.poll(countTries).toBe(7)
  })

  test('does not reconnect after a final code [8.14]', async ({ open }) => {
    const page = await open(REVIEWER)
    await page.clock.install()
    let code = 0
    let tries = 0
    await page.routeWebSocket(/\/graphql$/, async (socket) => {
      tries += 1
      await socket.close({ code })
    })
    for (code of [4400, 4401, 4403, 4406, 4409, 4429, 4500, 4005, 4004])
      await test.step(String(code), async () => {
        tries = 0
        await page.goto('/uploads')
        await expect(table(page)).toBeVisible()
        await expect.poll(() => tries).toBe(1)
        await page.clock.runFor(60_000)
        expect(tries).toBe(1)
        await expect(table(page)).toBeVisible()
      })
  })
})
