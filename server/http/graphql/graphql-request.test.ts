import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUser } from '../../../db/factories.ts'
import { errorOf } from '../../../shared/errors.ts'
import { listen, type RealServer } from '../../../test/real-http.ts'
import { createTestServer, type TestServer } from '../../../test/test-server.ts'

let server: TestServer
let real: RealServer
let token: string

beforeAll(async () => {
  server = await createTestServer({}, afterAll)
  const staff = await server.signIn((await makeUser(server.db)).email)
  token = ((await (await staff.fetch('/api/token')).json()) as { id_token: string }).id_token
  real = await listen(server.app)
  afterAll(real.close)
})

const ME = JSON.stringify({ query: '{ me { role } }' })

/** Sends over a real connection; `chunks` without a length are sent chunked. */
function post(headers: Record<string, string>, ...chunks: (string | Uint8Array)[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${real.url}/graphql`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    })
    call.on('response', (response) => {
      response.resume()
      resolve(response.statusCode!)
    })
    call.on('error', reject)
    for (const chunk of chunks) call.write(chunk)
    call.end()
  })
}

describe('the body of a GraphQL request', () => {
  it.each([
    ['JSON', { 'content-type': 'application/json' }, ME],
    ['JSON with a declared UTF-8 charset', { 'content-type': 'Application/JSON; charset="UTF-8"' }, ME],
    [
      'brackets in a string',
      {},
      JSON.stringify({ query: '{ me { role } }', variables: { a: '[{"'.repeat(100) } }),
    ],
  ])('may be %s [7.8]', async (_what, headers, body) => {
    expect(await post(headers, body)).toBe(200)
  })

  it.each([
    ['of an unknown kind', { 'content-type': '' }, ME, 415],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'query=mutation', 415],
    ['a form with files', { 'content-type': 'multipart/form-data; boundary=x' }, '--x--', 415],
    ['text', { 'content-type': 'text/plain' }, ME, 415],
    ['GraphQL without JSON', { 'content-type': 'application/graphql' }, '{ me { role } }', 415],
    ['in UTF-7', { 'content-type': 'application/json; charset=utf-7' }, ME, 415],
    ['in UTF-16', { 'content-type': 'application/json; charset=utf-16le' }, Buffer.from(ME, 'utf16le'), 415],
    ['JSON of a further type', { 'content-type': 'application/json-patch+json' }, ME, 415],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync(ME), 415],
    ['not UTF-8', {}, Buffer.from('{"query":"{me{id}}","x":"\xff"}', 'latin1'), 400],
    ['nested 33 deep', {}, `{"query":"{me{id}}","variables":{"a":${'['.repeat(31)}${']'.repeat(31)}}}`, 400],
    ['nested 100,000 deep', {}, '['.repeat(100_000), 400],
    ['a batch', {}, `[${ME}]`, 400],
    ['empty', {}, '', 400],
    ['an unterminated string', {}, `"${'\\"'.repeat(100_000)}`, 400],
    ['over 256 KiB', {}, `${ME}${' '.repeat(262_144)}`, 413],
  ])('may not be %s [7.8]', async (_what, headers, body, status) => {
    const before = process.cpuUsage()
    expect(await post(headers, body)).toBe(status)
    // Measures CPU time of this process, so that other load of the machine does not count.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000)
    expect(await post({}, ME)).toBe(200)
  })

  it('is not read beyond 256 KiB when it declares no length', async () => {
    const chunk = ' '.repeat(65_536)
    const cut = post({ 'transfer-encoding': 'chunked' }, ME, ...Array.from({ length: 160 }, () => chunk))
    // The server closes the connection during the body: a client gets the response or the error.
    expect(await cut.catch(() => 413)).toBe(413)
    expect(await post({ 'transfer-encoding': 'chunked' }, ME.slice(0, 9), ME.slice(9))).toBe(200)
  })

  it.each([
    [{ 'content-type': 'text/plain' }, ME, 415],
    [{}, `${ME}${' '.repeat(262_144)}`, 413],
    [{}, '', 400],
  ] as const)('is rejected with the sentence of its status', async (headers, body, status) => {
    const response = await server.app.request('/graphql', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    })
    expect(response.status).toBe(status)
    const { code, message } = errorOf(status)
    expect(await response.json()).toEqual({ errors: [{ message, extensions: { code } }] })
  })

  it('is rejected by its declared length', async () => {
    expect(await post({ 'content-length': '4294967296' }, ME).catch(() => 'broken')).toBe(413)
  })

  it.each(['GET', 'PUT', 'DELETE'])('must be sent by POST, not by %s [7.8]', async (method) => {
    const response = await server.app.request('/graphql?query={me{id}}', {
      method,
      headers: { authorization: `Bearer ${token}`, accept: 'text/html' },
    })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('json')
  })
})
