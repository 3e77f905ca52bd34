import { randomBytes } from 'node:crypto'
import { type DetailedError, Upload, type UploadOptions } from 'tus-js-client'
import type { TestClient } from '../../test/client.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { sha256 } from '../harness/documents.ts'
import { openFlakyProxy } from '../harness/flaky-proxy.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { expect, test } from '../harness/test.ts'

const MIB = 1024 * 1024

const CREATE = 'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id state } }'
const SUBMIT = 'mutation ($id: ID!) { submitUpload(id: $id) { state } }'
const READ = `query ($id: ID!) {
  upload(id: $id) { state files { id name type size sha256 scanResult } transfers { id } }
}`

/** Returns a text of this many bytes without repetition. */
function makeText(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'Rezultat normal.\n')
  for (let place = 0; place < size - 16; place += 1024) bytes.write(randomBytes(4).toString('hex'), place)
  return bytes
}

async function signInFiler(url: string, email = REGISTRAR) {
  const outsider = await signInClient(url, email)
  const begin = async (facts: object = {}): Promise<string> =>
    (await outsider.runQuery(CREATE, { upload: { title: 'Buletin de analize', ...facts } })).createUpload.id
  return { outsider, begin }
}

type Sent = { url: string | null; requests: string[]; error: DetailedError | null }

/** Sends bytes with tus-js-client and its defaults; returns the requests that were sent. */
async function send(
  origin: string,
  outsider: TestClient,
  bytes: Buffer,
  uploadId: string,
  options: Partial<UploadOptions> = {},
): Promise<Sent> {
  const requests: string[] = []
  const authorization = await outsider.authorization('files')
  return new Promise((resolve) => {
    const upload = new Upload(bytes, {
      endpoint: `${origin}/files`,
      headers: { authorization },
      metadata: { filename: 'analize.txt', filetype: 'text/plain', uploadId, sha256: sha256(bytes) },
      retryDelays: null,
      onAfterResponse: (request, response) => {
        const offset = request.getHeader('Upload-Offset')
        requests.push(`${request.getMethod()}${offset ? ` ${offset}` : ''} ${response.getStatus()}`)
      },
      onSuccess: () => resolve({ url: upload.url, requests, error: null }),
      onError: (error) => resolve({ url: upload.url, requests, error: error as DetailedError }),
      ...options,
    })
    upload.start()
  })
}

const errorOf = ({ error }: Sent) => {
  const response = error?.originalResponse
  return [response?.getStatus(), JSON.parse(response?.getBody() || 'null')?.code]
}

test('an upload is created by GraphQL, its file sent by tus with a Bearer token, and submitted [6.4]', async ({
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin({ patientId: patient.id, institutionId: patient.institutionId })
  const bytes = makeText(300_000)
  expect((await outsider.graphql(SUBMIT, { id })).errors[0]!.extensions.code).toBe('CONFLICT')
  const sent = await send(product.url, outsider, bytes, id)
  expect([sent.error, sent.requests]).toEqual([null, ['POST 201', 'PATCH 0 204']])
  expect(sent.url).toMatch(new RegExp(`^${product.url}/files/[0-9a-f]{32}$`))
  expect((await outsider.runQuery(SUBMIT, { id })).submitUpload.state).toBe('checking')
  const read = async () => (await outsider.runQuery(READ, { id })).upload
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('in_review')
  const { files, transfers } = await read()
  expect([files, transfers]).toEqual([
    [
      {
        id: expect.any(String),
        name: 'analize.txt',
        type: 'text/plain',
        size: bytes.length,
        sha256: sha256(bytes),
        scanResult: 'unscanned',
      },
    ],
    [],
  ])
  // A user who may see it downloads it, whole or in part, by cookie or by token.
  const address = `/files/${files[0].id}`
  const whole = await outsider.fetch(address)
  expect(whole.headers.get('content-disposition')).toContain('attachment')
  expect(sha256(await whole.bytes())).toBe(sha256(bytes))
  const authorization = await outsider.authorization('files')
  const part = await fetch(product.url + address, { headers: { authorization, range: 'bytes=100-199' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${bytes.length}`])
  expect(Buffer.from(await part.bytes()).equals(bytes.subarray(100, 200))).toBe(true)
  expect((await fetch(product.url + address)).status).toBe(401)
  const { outsider: institution } = await signInFiler(product.url, INSTITUTION)
  expect((await institution.fetch(address)).status).toBe(404)
  // Once submitted, it accepts no more files.
  expect(errorOf(await send(product.url, outsider, bytes, id))).toEqual([409, 'CONFLICT'])
})

test('a file resumes automatically after a broken connection', async ({ product }) => {
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin()
  const bytes = makeText(6 * MIB)
  const line = await openFlakyProxy(product.port)
  try {
    const broken = line.cutAfter(3.5 * MIB)
    void broken.then(() => setTimeout(() => line.restore(), 300))
    const { error, requests } = await send(line.url, outsider, bytes, id, {
      chunkSize: MIB,
      retryDelays: [100, 500, 1_000, 2_000],
    })
    await broken
    expect(error).toBeNull()
    const resumed = requests.indexOf('HEAD 200')
    expect(requests[0]).toBe('POST 201')
    expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(1)
    expect(resumed).toBeGreaterThan(0)
    const offset = Number(/^PATCH (\d+) 204$/.exec(requests[resumed + 1]!)?.[1])
    expect(offset).toBeGreaterThanOrEqual(2 * MIB)
    await outsider.runQuery(SUBMIT, { id })
    const { files } = (await outsider.runQuery(READ, { id })).upload
    expect(files).toEqual([expect.objectContaining({ size: bytes.length, sha256: sha256(bytes) })])
  } finally {
    await line.close()
  }
})

test('an interrupted transfer is resumed by its address, later and by another program of its user', async ({
  product,
}) => {
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin()
  const bytes = makeText(3 * MIB)
  const authorization = await outsider.authorization('files')
  const address = await new Promise<string>((resolve) => {
    const upload = new Upload(bytes, {
      endpoint: `${product.url}/files`,
      headers: { authorization },
      metadata: { filename: 'analize.txt', uploadId: id, sha256: sha256(bytes) },
      chunkSize: MIB,
      onChunkComplete: () => void upload.abort().then(() => resolve(upload.url!)),
    })
    upload.start()
  })
  const other = await signInFiler(product.url)
  const otherInstitution = await signInFiler(product.url, INSTITUTION)
  const refused = await send(product.url, otherInstitution.outsider, bytes, id, { uploadUrl: address })
  expect(refused.requests[0]).toBe('HEAD 404')
  const { error, requests } = await send(product.url, other.outsider, bytes, id, { uploadUrl: address })
  expect(error).toBeNull()
  expect(requests[0]).toBe('HEAD 200')
  expect(Number(/^PATCH (\d+) 204$/.exec(requests[1]!)?.[1])).toBeGreaterThanOrEqual(MIB)
})

test('a transfer can be cancelled, and does not exist after that', async ({ product }) => {
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin()
  const bytes = makeText(2 * MIB)
  const headers = { authorization: await outsider.authorization('files') }
  const address = await new Promise<string>((resolve) => {
    const upload = new Upload(bytes, {
      endpoint: `${product.url}/files`,
      headers,
      metadata: { filename: 'analize.txt', uploadId: id, sha256: sha256(bytes) },
      chunkSize: MIB,
      onChunkComplete: () => void upload.abort(true).then(() => resolve(upload.url!)),
    })
    upload.start()
  })
  expect((await outsider.runQuery(READ, { id })).upload.transfers).toEqual([])
  const response = await fetch(address, { method: 'HEAD', headers: { ...headers, 'tus-resumable': '1.0.0' } })
  expect(response.status).toBe(404)
})

test('a file that cannot be accepted is rejected with the status and the code of the reason [6.4]', async ({
  product,
}) => {
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin()
  const bytes = makeText(1_000)
  const hash = sha256(bytes)
  const metadata = { filename: 'analize.txt', uploadId: id, sha256: hash }
  const attempt = async (options: Partial<UploadOptions>) =>
    errorOf(await send(product.url, outsider, bytes, id, options))
  expect(await attempt({ headers: {} })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await attempt({ headers: { authorization: 'Bearer none' } })).toEqual([401, 'UNAUTHENTICATED'])
  expect(await attempt({ uploadSize: 2048 * MIB + 1 })).toEqual([413, 'BAD_USER_INPUT'])
  for (const wrong of [
    { filename: 'analize.txt', uploadId: id },
    { uploadId: id, sha256: hash },
    { filename: 'analize.txt', sha256: hash },
    { ...metadata, sha256: hash.toUpperCase() },
    { ...metadata, surname: 'Popescu' },
  ]) {
    expect(await attempt({ metadata: wrong as Record<string, string> })).toEqual([400, 'BAD_USER_INPUT'])
  }
  const unknown = { ...metadata, uploadId: '00000000-0000-7000-8000-000000000000' }
  expect(await attempt({ metadata: unknown })).toEqual([404, 'NOT_FOUND'])
  // The bytes do not match the announced hash: none is kept.
  expect(await attempt({ metadata: { ...metadata, sha256: sha256(Buffer.from('altceva')) } })).toEqual([
    460,
    'CONFLICT',
  ])
  const { files, transfers } = (await outsider.runQuery(READ, { id })).upload
  expect([files, transfers]).toEqual([[], []])
  // An institution cannot upload.
  const { outsider: institution } = await signInFiler(product.url, INSTITUTION)
  const { errors } = await institution.graphql(CREATE, { upload: { title: 'Buletin' } })
  expect(errors[0]!.extensions.code).toBe('FORBIDDEN')
})

test('a file of a forbidden type is recognised by its content, under any name', async ({ product }) => {
  const { outsider, begin } = await signInFiler(product.url)
  const id = await begin()
  const bytes = Buffer.from('<!doctype html><html><script>alert(1)</script></html>'.repeat(20))
  const metadata = {
    filename: 'raport.pdf',
    filetype: 'application/pdf',
    uploadId: id,
    sha256: sha256(bytes),
  }
  expect((await send(product.url, outsider, bytes, id, { metadata })).error).toBeNull()
  await outsider.runQuery(SUBMIT, { id })
  const read = async () => (await outsider.runQuery(READ, { id })).upload
  await expect.poll(async () => (await read()).state, { timeout: 20_000 }).toBe('quarantined')
  const { files } = await read()
  expect(files).toEqual([expect.objectContaining({ scanResult: 'refused' })])
  const response = await outsider.fetch(`/files/${files[0].id}`)
  expect([response.status, (await response.json()).code]).toEqual([409, 'CONFLICT'])
})

test('the upload route reports its protocol version and extensions', async ({ product: { url } }) => {
  const response = await fetch(`${url}/files`, { method: 'OPTIONS' })
  expect([
    response.status,
    ...['version', 'max-size', 'extension'].map((name) => response.headers.get(`tus-${name}`)),
  ]).toEqual([204, '1.0.0', String(2048 * MIB), 'creation,creation-with-upload,termination'])
})
