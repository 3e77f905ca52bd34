import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeInstitution, makeUser } from '../../../db/factories.ts'
import { INTAKE_PATH } from '../../../shared/integrations.ts'
import { LIMITS } from '../../../shared/limits.ts'
import { createIntegration, formOf } from '../../../test/integrations/send-documents.ts'
import { listen, type RealServer } from '../../../test/real-http.ts'
import { sha256 } from '../../../test/sha256.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'
import { upsertSettings } from '../../features/site/site.db.ts'

const MIB = 1024 * 1024

let server: TestServer
let real: RealServer
let lis: Awaited<ReturnType<typeof createIntegration>>

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  await upsertSettings(server.db, { upload_file_mib: 1 })
  real = await listen(server.app)
  afterAll(() => real.close())
  lis = await createIntegration(server)
})

const text = (size = 2_000) => Buffer.from(randomBytes(size).toString('base64'))
const uploadsOf = (integrationId = lis.id) =>
  server.db.selectFrom('upload').selectAll().where('integration_id', '=', integrationId).execute()
const incomingNames = () => readdir(join(server.services.config.dataDir, 'incoming'))
/** The state that a refused request must not change. */
const stored = async () => {
  const { count } = await server.db
    .selectFrom('file')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { count, uploads: (await uploadsOf()).length, incoming: await incomingNames() }
}
const fileOf = async (id: string) =>
  server.db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Sends a form; the key of the integration is revoked when a part of it has arrived. */
async function sendAndRevoke({ id, headers: headersOf }: typeof lis, key: string, form: FormData) {
  const { body, headers } = new Request('http://x', { method: 'POST', body: form })
  let chunks = 0
  const slow = body!.pipeThrough(
    new TransformStream({
      transform: async (chunk, controller) => {
        if (chunks++ === 1)
          await server.db
            .updateTable('integration')
            .set({ revoked_at: new Date() })
            .where('id', '=', id)
            .execute()
        controller.enqueue(chunk)
      },
    }),
  )
  return server.app.request(INTAKE_PATH, {
    method: 'POST',
    body: slow,
    duplex: 'half',
    headers: { ...headersOf(key), 'content-type': headers.get('content-type')! },
  } as RequestInit)
}

const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'

/** Sends the beginning of a request, and returns the connection. */
async function beginRequest(key: string, file: Buffer, sent: number) {
  const { authorization } = lis.headers(key)
  const body = Buffer.concat([Buffer.from(HEAD), file, Buffer.from('\r\n--x--\r\n')])
  const { port, hostname } = new URL(real.url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST ${INTAKE_PATH} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\nidempotency-key: ${key}\r\n` +
      `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await new Promise((resolve) => socket.write(body.subarray(0, sent), resolve))
  return socket
}

describe('a document of an integration', () => {
  it('is stored once, with its hash, as a draft without an author in a batch of the integration', async () => {
    const file = text(300_000)
    const document = {
      key: 'doc 1/2026',
      file,
      name: 'Ștefan „Ana” "2" ț.txt',
      facts: { title: 'RM genunchi' },
    }
    const first = await lis.send(document)
    expect(first).toMatchObject({
      status: 201,
      body: { sha256: sha256(file).toString('hex'), size: file.length, status: 'received' },
    })
    const row = await fileOf(first.body.file)
    expect(row).toMatchObject({
      name: 'Ștefan „Ana” _2_ ț.txt',
      upload_id: first.body.upload,
      size: file.length,
    })
    const chunks = await (await server.services.storage.read(row.storage_key)).toArray()
    expect(Buffer.concat(chunks).equals(file)).toBe(true)
    const uploads = await uploadsOf()
    expect(uploads).toMatchObject([
      { id: first.body.upload, created_by: null, state: 'receiving', title: 'RM genunchi', patient_id: null },
    ])
    const batch = await server.db
      .selectFrom('batch')
      .selectAll()
      .where('id', '=', uploads[0]!.batch_id)
      .executeTakeFirstOrThrow()
    expect(batch).toMatchObject({ source: 'integration', integration_id: lis.id, created_by: null })
    const recorded = await server.db
      .selectFrom('audit_event')
      .select(['actor_id', 'actor_name', 'role', 'origin'])
      .where('subject_id', '=', first.body.file)
      .execute()
    expect(recorded).toEqual([{ actor_id: lis.id, actor_name: 'LIS central', role: null, origin: 'api' }])

    expect(await lis.send(document, real.url)).toMatchObject({ status: 200, body: first.body })
    expect(await uploadsOf()).toHaveLength(1)
    expect(await incomingNames()).toEqual([])
  })

  it('is a conflict with other bytes or other facts under the same key, and nothing is stored', async () => {
    const document = { key: 'acelasi', file: text(), facts: { accessionNumber: 'A1' } }
    expect((await lis.send(document)).status).toBe(201)
    const before = await stored()
    for (const change of [{ file: text() }, { facts: { accessionNumber: 'A2' } }, { facts: undefined }]) {
      const { status, body } = await lis.send({ ...document, ...change })
      expect([status, body.code]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
    }
    expect(await stored()).toEqual(before)
    const other = await createIntegration(server)
    expect((await other.send({ ...document, file: text() })).status).toBe(201)
  })

  it('is stored once when it is sent several times at once', async () => {
    const document = { key: 'deodata', file: text(500_000) }
    const before = (await uploadsOf()).length
    const answers = await Promise.all(Array.from({ length: 4 }, () => lis.send(document, real.url)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body, headers } of answers)
      if (status === 409) expect([body.code, headers.get('retry-after')]).toEqual(['IN_PROGRESS', '2'])
      else expect([200, 201]).toContain(status)
    expect(await uploadsOf()).toHaveLength(before + 1)
    expect((await lis.send(document)).status).toBe(200)
  })

  it.each([
    ['in the head', 20],
    ['in the middle of the bytes', 200_000],
    ['before the last byte', -1],
  ])(
    'leaves nothing when the connection is cut %s, and is stored when it is sent again',
    async (where, at) => {
      const file = text(300_000)
      const before = await stored()
      const socket = await beginRequest(
        where.replaceAll(' ', '-'),
        file,
        at < 0 ? HEAD.length + file.length - 1 : at,
      )
      // The server has the lock once it writes.
      if (at !== 20) await expect.poll(async () => (await incomingNames()).length).toBe(1)
      socket.resetAndDestroy()
      await expect.poll(incomingNames).toEqual([])
      expect(await stored()).toEqual(before)
      const again = { key: where.replaceAll(' ', '-'), file, name: 'a.txt' }
      await expect.poll(async () => (await lis.send(again, real.url)).status).toBe(201)
      expect((await stored()).count).toBe(before.count + 1)
    },
  )
})

describe('a document is refused', () => {
  const refuse = async (document: Partial<Parameters<typeof lis.send>[0]>, sender = lis, url?: string) => {
    const before = await stored()
    const { status, body } = await sender.send({ key: `k${Math.random()}`, file: text(), ...document }, url)
    expect(await stored()).toEqual(before)
    return {
      status,
      code: body.code,
      fields: (body.fields ?? []).map(({ field }: { field: string }) => field),
    }
  }

  it('without a key, with an unknown or a public one, and with the session of an administrator', async () => {
    const admin = await server.signIn((await makeUser(server.db, { role: 'admin' })).email)
    const sessions = [await admin.authorization(), await admin.authorization('files')]
    for (const authorization of ['', 'Bearer x', `Bearer di_${'a'.repeat(43)}`, 'Bearer dk_a', ...sessions])
      expect(await refuse({ headers: { authorization } })).toMatchObject({
        status: 401,
        code: 'UNAUTHENTICATED',
      })
  })

  it('with a revoked key, also if it is revoked while the bytes arrive', async () => {
    const sender = await createIntegration(server)
    const document = { key: 'x', file: text() }
    expect((await sender.send(document)).status).toBe(201)
    await server.db
      .updateTable('integration')
      .set({ revoked_at: new Date() })
      .where('id', '=', sender.id)
      .execute()
    expect((await refuse(document, sender)).status).toBe(401)

    const during = await createIntegration(server)
    const response = await sendAndRevoke(during, 'x', formOf({ file: text(400_000) }))
    expect(response.status).toBe(401)
    expect(await uploadsOf(during.id)).toEqual([])
    expect(await incomingNames()).toEqual([])
  })

  it('with the key of a document that is known, if it is revoked meanwhile', async () => {
    const [whole, inParts] = [await createIntegration(server), await createIntegration(server)]
    const file = text(400_000)
    expect((await whole.send({ key: 'x', file })).status).toBe(201)
    const { begin, patch, finish } = inParts.resumable('x')
    const path = await begin(file)
    await patch(path, 0, file)
    expect((await finish(path)).status).toBe(201)
    const transfer = new FormData()
    transfer.append('transfer', path.split('/').at(-1)!)
    for (const [sender, form] of [
      [whole, formOf({ file })],
      [inParts, transfer],
    ] as const) {
      const response = await sendAndRevoke(sender, 'x', form)
      expect([response.status, await response.json()]).toMatchObject([401, { code: 'UNAUTHENTICATED' }])
    }
    expect(await incomingNames()).toEqual([])
  })

  it('from an address that is not allowed', async () => {
    const elsewhere = await createIntegration(server, { addresses: ['10.0.0.0/8', '::1'] })
    expect(await refuse({}, elsewhere, real.url)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await refuse({}, elsewhere)).toMatchObject({ status: 403 })
    const here = await createIntegration(server, { addresses: ['10.0.0.0/8', '127.0.0.0/8'] })
    expect((await here.send({ key: 'a', file: text() }, real.url)).status).toBe(201)
  })

  it('if it is too large, or of a type that is not accepted', async () => {
    expect(await refuse({ file: text(4 * MIB) }, lis, real.url)).toMatchObject({ status: 413 })
    for (const name of ['program.exe', 'pagina.html', 'date.bin', 'fara'])
      expect(await refuse({ name }), name).toMatchObject({ status: 415, code: 'BAD_USER_INPUT' })
    expect((await refuse({ headers: { 'content-type': 'application/json' } })).status).toBe(415)
  })

  it('with facts that are unknown or not right, which are named', async () => {
    expect(await refuse({ facts: { cnp: null, CNP: '1' } })).toMatchObject({ status: 400, fields: ['CNP'] })
    for (const facts of ['[]', 'x', '"x"']) expect((await refuse({ facts })).status).toBe(400)
    expect((await refuse({ facts: { title: 'x'.repeat(70_000) } })).status).toBe(400)
    const wrong = { cnp: '1960304123456', birthDate: '2026-02-31', category: 'nu-exista', doctor: 5 }
    for (const [field, value] of Object.entries({ ...wrong, institution: 'RO1' }))
      expect(await refuse({ facts: { [field]: value } })).toMatchObject({ status: 422, fields: [field] })
  })

  it('with the CUI of several institutions, of which the program has to name one', async () => {
    const cui = '18547290'
    const [one, other] = [
      await makeInstitution(server.db, { cui }),
      await makeInstitution(server.db, { cui }),
    ]
    expect(await refuse({ facts: { institution: `RO ${cui}` } })).toMatchObject({
      status: 422,
      fields: ['institution'],
    })
    const { body } = await lis.send({ key: 'sediu', file: text(), facts: { institution: other.id } })
    expect((await uploadsOf()).find(({ id }) => id === body.upload)?.institution_id).toBe(other.id)
    await server.db
      .updateTable('institution')
      .set({ suspended_at: new Date() })
      .where('id', '=', one.id)
      .execute()
    expect((await lis.send({ key: 'cui', file: text(), facts: { institution: cui } })).status).toBe(201)
  })

  it('if the disk has no room for the largest file and the program does not say how large it is', async () => {
    const free = LIMITS.reservedBytes + MIB / 2
    const freed = vi.spyOn(server.services.storage, 'freeBytes').mockResolvedValue(free)
    onTestFinished(() => freed.mockRestore())
    expect(await refuse({})).toMatchObject({ status: 507, code: 'UNAVAILABLE' })
    const known = { key: 'incape', file: text(), headers: { 'content-length': '4000' } }
    expect((await lis.send(known)).status).toBe(201)
  })

  it('if the disk has no room beside the requests that are on their way', async () => {
    const file = text(300_000)
    const head = HEAD.length + 1_000
    const free = LIMITS.reservedBytes + 1.5 * file.length
    const freed = vi.spyOn(server.services.storage, 'freeBytes').mockResolvedValue(free)
    onTestFinished(() => freed.mockRestore())
    const socket = await beginRequest('primul', file, head)
    await expect.poll(async () => (await incomingNames()).length).toBe(1)
    const other = { key: 'al-doilea', file, headers: { 'content-length': String(file.length + 500) } }
    expect(await lis.send(other)).toMatchObject({ status: 507, body: { code: 'UNAVAILABLE' } })
    socket.resetAndDestroy()
    await expect.poll(incomingNames).toEqual([])
    expect((await lis.send(other)).status).toBe(201)
    expect((await lis.send({ ...other, key: 'al-treilea', file: text(300_000) })).status).toBe(201)
  })

  it.each([
    [400, 'without a boundary', 'multipart/form-data', ''],
    [400, 'without a form', 'multipart/form-data; boundary=x', 'rezultat'],
    [503, 'without its end', 'multipart/form-data; boundary=x', `${HEAD}rezultat`],
  ])('with %i if it is sent %s', async (status, _what, type, body) => {
    const before = await stored()
    const headers = { ...lis.headers('fara-capat'), 'content-type': type }
    const response = await server.app.request(INTAKE_PATH, { method: 'POST', body, headers })
    expect(response.status).toBe(status)
    expect(await stored()).toEqual(before)
  })

  it('without exactly one file after the facts, and without a key of its own', async () => {
    const post = async (form: FormData, key = 'k') => (await lis.post(form, key)).status
    const before = await stored()
    const two = formOf({ file: text() })
    two.append('file', new File(['b'], 'b.txt'))
    const late = formOf({ file: text() })
    late.append('facts', '{}')
    for (const form of [two, late, new FormData(), formOf({ file: Buffer.alloc(0) })])
      expect(await post(form)).toBe(400)
    for (const key of ['', 'x'.repeat(201), 'cheie\u00a0'])
      expect(await post(formOf({ file: text() }), key)).toBe(400)
    expect(await stored()).toEqual(before)
  })
})
