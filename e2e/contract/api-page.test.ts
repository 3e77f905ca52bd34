import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CLOSE, FATAL_CLOSE_CODES, isFatalClose } from '../../shared/close-codes.ts'
import { ERRORS, errorOf } from '../../shared/errors.ts'
import { LIMITS } from '../../shared/limits.ts'
import { siteSettings } from '../../shared/site/site-settings.ts'
import { CATEGORY_DEPTH } from '../../shared/uploads/categories.ts'
import { createTestClient, type TestClient } from '../../test/client.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import {
  asPattern,
  type Block,
  fillIn,
  findDifference,
  readApiPage,
  readMessage,
  type Values,
} from '../harness/api-page.ts'
import { fetchPublicKey, issueApiKey, issueIntegrationKey, signInClient } from '../harness/client.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, test } from '../harness/test.ts'

const SETTINGS = siteSettings.parse({})
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const EXAMPLE_MS = 30_000

const page = readApiPage()
const limits: Record<string, number> = Object.fromEntries(
  page.table('Limits').map(([what, much = '']) => [what, Number(much.replace(/[^\d]/g, ''))]),
)

/** Sends a request of the page and compares the response with the page. */
async function exchange(
  outsider: TestClient,
  request: Block,
  response: Block,
  values: Values,
): Promise<void> {
  const requested = readMessage(fillIn(request.text, values))
  const [method = '', path = ''] = requested.start.split(' ')
  const isMultipart = requested.headers.some(([, value]) => value.startsWith('multipart/'))
  const sent = isMultipart ? requested.body.replaceAll('\n', '\r\n') : requested.body
  const received = await outsider.fetch(path, {
    method,
    headers: requested.headers,
    ...(sent && { body: sent }),
  })
  const shown = readMessage(response.text)
  expect(String(received.status), shown.start).toBe(shown.start.split(' ')[1])
  for (const [name, value] of shown.headers) {
    const found = name === 'Set-Cookie' ? received.headers.getSetCookie() : [received.headers.get(name)]
    expect(found).toContainEqual(expect.stringMatching(asPattern(value)))
  }
  const body = await received.text()
  if (!shown.body) return
  if (received.headers.get('content-type')?.startsWith('application/json'))
    expect(findDifference(JSON.parse(shown.body), JSON.parse(body), values)).toBeNull()
  else expect(body.replaceAll('\r\n', '\n').trim()).toMatch(asPattern(shown.body.trim()))
}

/** Runs a GraphQL document of the page. */
async function runDocument(
  outsider: TestClient,
  query: string,
  variables: Record<string, unknown>,
  values: Values,
) {
  const data = await outsider.runQuery(query, variables)
  const uploadId = data.createUpload?.id
  const fileId = data.uploads?.nodes[0]?.files[0]?.id
  Object.assign(values, uploadId && { uploadId }, fileId && { fileId })
}

/** Runs a copied program of the page, while an upload of the registrar keeps changing. */
async function runProgram({ url }: Product, code: string, shown: string, values: Values): Promise<void> {
  const registrar = await signInClient(url, REGISTRAR)
  const upload = { title: 'Radiografie' }
  const { createUpload } = await registrar.runQuery(
    'mutation ($upload: UploadInput!) { createUpload(upload: $upload) { id version } }',
    { upload },
  )
  let { version } = createUpload
  let isRunning = true
  const program = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: ROOT,
    timeout: EXAMPLE_MS,
    env: {
      ...process.env,
      DOSAR: url,
      FILES_TOKEN: values.files_token,
      REALTIME_TOKEN: values.realtime_token,
      UPLOAD: values.uploadId,
    },
  }).finally(() => (isRunning = false))
  const keepChanging = async () => {
    while (isRunning) {
      const edit =
        'mutation ($id: ID!, $version: Int!, $upload: UploadInput!) { editUpload(id: $id, version: $version, upload: $upload) { version } }'
      version = (await registrar.runQuery(edit, { id: createUpload.id, version, upload })).editUpload.version
    }
  }
  const [{ stdout, stderr }] = await Promise.all([program, keepChanging()])
  expect(stderr).toBe('')
  expect(stdout.trim()).toMatch(asPattern(shown.trim()))
}

test('the examples of docs/api.md, from top to bottom, are one session [7.1] [7.2] [7.3] [7.4] [7.5] [7.6] [7.7] [7.8] [7.9] [7.10] [7.11]', async ({
  product,
}) => {
  test.setTimeout(180_000)
  const outsider = createTestClient(product.url)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const values: Values = {
    patientId: patient.id,
    publicKey: await fetchPublicKey(product.url),
    issuedKey: await issueApiKey(product.url),
    integrationKey: await issueIntegrationKey(product.url),
  }
  const { blocks } = page
  let ran = 0
  for (let place = 0; place < blocks.length; place += 1) {
    const block = blocks[place]!
    const next = blocks[place + 1]
    await test.step(`${block.heading}, line ${block.line}`, async () => {
      if (block.language === 'http') await exchange(outsider, block, next!, values)
      else if (block.language === 'graphql') {
        const variables = next?.language === 'json' ? JSON.parse(fillIn(next.text, values)) : {}
        await runDocument(outsider, block.text, variables, values)
      } else if (block.language === 'js') await runProgram(product, block.text, next!.text, values)
      else throw new Error(`no runner for a block of ${block.language}`)
    })
    ran += 1
    if (block.language === 'http' || block.language === 'js' || next?.language === 'json') place += 1
  }
  expect(ran).toBeGreaterThanOrEqual(30)
})

test('the names that docs/api.md mentions are those of the schema', async ({ product }) => {
  const outsider = await signInClient(product.url, ADMIN)
  const query =
    '{ __schema { queryType { fields { name } } mutationType { fields { name } } subscriptionType { fields { name } } } }'
  const { __schema } = (await (await outsider.postGraphql({ query })).json()).data
  const fields = Object.values(__schema as Record<string, { fields: { name: string }[] }>)
    .flatMap((type) => type.fields)
    .map(({ name }) => name)
  const section = /## For administrators\n([^#]*?)```/.exec(page.text)![1]!
  const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !fields.includes(name!))).toEqual([])
})

test('the reasons of a failed sign-in are those of docs/api.md [8.2]', async ({ product: { url } }) => {
  const outsider = createTestClient(url)
  const rows = page.table('When it fails')
  const seen = async (path: string, fields: Record<string, string>) => {
    const { searchParams } = (await outsider.post(`/api/auth/${path}`, fields)).url
    return [searchParams.get('error'), searchParams.get('code') ?? '']
  }
  const right = { email: ADMIN, password: DEMO_PASSWORD }
  const provoked = [
    await seen('callback/local', { email: 'nimeni@dosar.test', password: 'nu aceasta' }),
    await seen('callback/second-factor', { code: '123456' }),
    await seen('callback/link', { token: 'x'.repeat(43), password: 'patru cai verzi pe pereti' }),
    await seen('callback/local', { ...right, csrfToken: 'none' }),
  ]
  for (const reason of provoked) expect(rows.map((row) => row.slice(0, 2))).toContainEqual(reason)
  expect(new Set(provoked.map(String)).size).toBe(4)
})

test('the error codes and their status are those of docs/api.md', async ({ product: { url } }) => {
  const table = page.table('What goes wrong').map(([code, status]) => [code, Number(status)] as const)
  const codes = [...new Set(ERRORS.map(({ code }) => code))]
  expect(table).toEqual(codes.map((code) => [code, errorOf(code).status]))
  const outsider = await signInClient(url, ADMIN)
  const nowhere = '/files/00000000-0000-7000-8000-000000000000'
  const json = { 'content-type': 'application/json' }
  for (const [code, path, init] of [
    ['UNAUTHENTICATED', nowhere, { headers: { authorization: 'Bearer none' } }],
    ['FORBIDDEN', '/graphql', { method: 'POST', headers: { origin: 'https://exemplu.test' } }],
    ['NOT_FOUND', nowhere, {}],
    ['BAD_USER_INPUT', '/api/password-reset', { method: 'POST', headers: json, body: '{}' }],
  ] as const) {
    const response = await outsider.fetch(path, init)
    expect([response.status, (await response.json()).code]).toEqual([errorOf(code).status, code])
  }
})

test('the close codes of docs/api.md are those of the server and its clients [8.14]', () => {
  const rows = page.table('Live updates').map(([code, final]) => ({ code: Number(code), final }))
  const codes = rows.map(({ code }) => code)
  expect(codes).toEqual(codes.toSorted((a, b) => a - b))
  for (const { code, final } of rows) expect([code, final]).toEqual([code, isFatalClose(code) ? 'yes' : 'no'])
  const known = [...FATAL_CLOSE_CODES, ...Object.values(CLOSE).map(({ code }) => code)]
  expect(known.filter((code) => !codes.includes(code))).toEqual([])
})

test('the limits of docs/api.md are those of the product', () => {
  expect(limits).toEqual({
    'a session, and the age of its cookies': LIMITS.sessionSeconds,
    'a browser is known after a sign-in': LIMITS.deviceSeconds,
    'an id_token': LIMITS.idTokenSeconds,
    'between the password and the second factor': LIMITS.pendingSignInSeconds,
    'an invitation': LIMITS.invitationDays,
    'a link for a new password': LIMITS.resetMinutes,
    'recovery codes': LIMITS.recoveryCodes,
    'a password, at least': LIMITS.passwordMin,
    'a password beside a second factor, at least': LIMITS.passwordMinWithSecondFactor,
    'a password, at most': LIMITS.passwordMax,
    'a page of a list': LIMITS.pageSize,
    'a page of a list, at most': LIMITS.pageSizeMax,
    'what is searched for, in characters': LIMITS.searchText,
    'hits of a kind': LIMITS.searchHits,
    categories: LIMITS.categories,
    'category levels': CATEGORY_DEPTH,
    'a file, in bytes, at most': LIMITS.fileBytes,
    'files of an upload, unless set otherwise': SETTINGS.upload_files,
    'unfinished files of a person, unless set otherwise': SETTINGS.upload_unfinished_per_user,
    'unfinished bytes of a person': LIMITS.unfinishedBytes,
    'free bytes of the disk that files never fill': LIMITS.reservedBytes,
    'an unfinished file is kept, unless set otherwise': SETTINGS.upload_unfinished_hours,
    'its root fields, with a key': LIMITS.keyRootFields,
    'requests a minute with an issued key': LIMITS.issuedKeyRequestsPerMinute,
    "requests a minute of a network, with the pages' key": LIMITS.pageKeyRequestsPerMinute,
    'requests for access of a user in 24 hours': LIMITS.accessRequestsOfUser,
    'requests for access of an institution in 24 hours': LIMITS.accessRequestsOfInstitution,
    'a message about a result, in characters': LIMITS.questionText,
    'messages about a result': LIMITS.questionMessages,
    // Tested below.
    'a request of GraphQL, in bytes': expect.any(Number),
    'its document, in characters': expect.any(Number),
    'its document, in tokens': expect.any(Number),
    'its cost': expect.any(Number),
    'its depth': expect.any(Number),
    'its root fields': expect.any(Number),
    'its mutations': expect.any(Number),
    'its aliases': expect.any(Number),
    'its fields, fragments written out': expect.any(Number),
    // Tested at the limit and one above in realtime-calls.test.ts.
    'sockets of a person': 5,
    'subscriptions of a socket': 20,
    'messages of a socket in a minute': 100,
  })
})

test('an operation at the limits of docs/api.md is accepted, and one above any limit is not', async ({
  product: { url },
}) => {
  const limit = (what: string) => limits[what] ?? Number.NaN
  const outsider = await signInClient(url, ADMIN)
  const authorization = await outsider.authorization()
  const times = (count: number, write: (place: number) => string) =>
    Array.from({ length: count }, (_, place) => write(place)).join(' ')
  const status = async (query: string) => (await outsider.postGraphql({ query }, { authorization })).status
  const size = (bytes: number) => {
    const body = JSON.stringify({ query: '{ me { id } }', variables: {} })
    return `${body.slice(0, -1)}${' '.repeat(bytes - body.length)}}`
  }
  const deep = (depth: number) =>
    `{ __schema { types { fields { type { ${'ofType { '.repeat(depth - 5)}name${' }'.repeat(depth - 5)} } } } } }`
  /** The page of patients costs 1; for each row the row and each of its objects cost 1. */
  const costly = (cost: number) => {
    const rows = Array.from({ length: 100 }, (_, place) => 100 - place).find(
      (count) => (cost - 1) % count === 0 && (cost - 1) / count <= 60,
    )!
    const objects = times((cost - 1) / rows - 1, (place) => `o${place}: can { edit }`)
    return `{ patients(first: ${rows}) { nodes { id ${objects} } } }`
  }
  const mutation = 'm: endSession(id: "00000000-0000-7000-8000-000000000000")'
  for (const [what, write] of [
    ['its depth', deep],
    [
      'its mutations',
      (count: number) => `mutation { ${times(count, (place) => mutation.replace('m', `m${place}`))} }`,
    ],
    ['its root fields', (count: number) => `{ ${times(count, () => 'me { id }')} }`],
    ['its aliases', (count: number) => `{ me { ${times(count, (place) => `a${place}: id`)} } }`],
    ['its fields, fragments written out', (count: number) => `{ me { ${times(count - 1, () => 'id')} } }`],
    ['its document, in characters', (count: number) => `{ me { id } }${' '.repeat(count - 13)}`],
    [
      'its document, in tokens',
      // 18 tokens besides the kinds.
      (count: number) =>
        `{ search(query: "po", kinds: [${times(count - 18, () => 'SCREEN')}]) { screens { title } } }`,
    ],
    ['its cost', costly],
  ] as const) {
    expect([what, await status(write(limit(what)))]).toEqual([what, 200])
    expect([what, await status(write(limit(what) + 1))]).toEqual([what, 400])
  }
  const bytes = limit('a request of GraphQL, in bytes')
  expect((await outsider.postGraphql(size(bytes), { authorization })).status).toBe(200)
  expect((await outsider.postGraphql(size(bytes + 1), { authorization })).status).toBe(413)
})
