import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { explainHttpError, http } from './http.ts'

// A 401 clears the cookie of the token.
vi.stubGlobal('document', { cookie: '' })

// Signing out clears a cookie.
beforeEach(() => void vi.stubGlobal('document', { cookie: '' }))
afterEach(() => void vi.unstubAllGlobals())

/**
 * Starts a server that sends each of these responses in turn and repeats the last one; returns the methods of
 * the received requests.
 */
async function serve(...responses: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const respond = responses[Math.min(requested.length, responses.length - 1)]!
    requested.push(request.method!)
    request.resume()
    respond(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requested }
}

const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  (response: ServerResponse) =>
    void response.writeHead(code, headers).end(body)
const json = (code: number, body: unknown) =>
  status(code, { 'content-type': 'application/json' }, JSON.stringify(body))

const RETRIED = [408, 409, 425, 429, 500, 502, 503, 504]
const FINAL = [400, 401, 403, 404, 405, 410, 413, 415, 422, 423, 431, 501, 505, 507]
const SAFE = ['GET', 'HEAD', 'OPTIONS']
const UNSAFE = ['PATCH', 'POST', 'PUT', 'DELETE']

describe('the HTTP client', () => {
  for (const method of [...SAFE, ...UNSAFE]) {
    it(`${SAFE.includes(method) ? 'retries' : 'does not retry'} ${method} [7.12]`, async () => {
      const counts: Record<number, number> = {}
      for (const code of [...RETRIED, ...FINAL]) {
        const { url, requested } = await serve(status(code))
        await expect(http(url, { method })).rejects.toMatchObject({ status: code })
        expect(new Set(requested)).toEqual(new Set([method]))
        counts[code] = requested.length
      }
      const isSafe = SAFE.includes(method)
      expect(counts).toEqual(
        Object.fromEntries([
          ...RETRIED.map((code) => [code, isSafe ? 2 : 1]),
          ...FINAL.map((code) => [code, 1]),
        ]),
      )
    })
  }

  it('returns the response to the retry [7.12]', async () => {
    const { url, requested } = await serve(status(503), json(200, { id: 'a' }))
    expect(await http(url)).toEqual({ id: 'a' })
    expect(requested).toHaveLength(2)
  })

  it('retries only safe requests when the server does not respond [7.12]', async () => {
    for (const [method, count] of [
      ['GET', 2],
      ['POST', 1],
    ] as const) {
      const { url, requested } = await serve((response) => void response.destroy())
      await expect(http(url, { method })).rejects.toMatchObject({ status: undefined })
      expect([method, requested.length]).toEqual([method, count])
    }
  })

  it('signs out at a 401, and not at a 403 [4.3]', async () => {
    vi.resetModules()
    const reimported = { ...(await import('./http.ts')), ...(await import('../session/session.ts')) }
    const { url } = await serve(status(403), status(401))
    await expect(reimported.http(url)).rejects.toMatchObject({ status: 403 })
    expect(reimported.getSession().status).toBe('loading')
    await expect(reimported.http(url)).rejects.toMatchObject({ status: 401 })
    expect(reimported.getSession().status).toBe('unauthenticated')
  })
})

describe('explainHttpError', () => {
  const explain = (url: string) => http(url, { method: 'POST' }).then(() => null, explainHttpError)

  it('returns the sentence of the server if the response has one [7.12]', async () => {
    const { url } = await serve(json(409, { code: 'CONFLICT', message: 'Fișierul este deja aici.' }))
    expect(await explain(url)).toBe('Fișierul este deja aici.')
  })

  it('returns a Romanian sentence for responses of a gateway and for no response [7.12]', async () => {
    for (const code of [...RETRIED, ...FINAL]) {
      const page = status(code, { 'content-type': 'text/html' }, '<h1>Bad Gateway</h1>')
      const { url } = await serve(page)
      const sentence = await explain(url)
      expect([code, sentence]).toEqual([code, expect.stringMatching(/^[A-ZÎ][^<]+\.$/)])
      if ([408, 425, 502, 503, 504].includes(code)) expect(sentence).toMatch(/^Serviciul nu răspunde/)
    }
    const { url } = await serve((response) => void response.destroy())
    expect(await explain(url)).toMatch(/conexiunea la rețea/)
  })

  it('returns null for an error of another kind', () => {
    expect(explainHttpError(new Error('bug'))).toBeNull()
  })
})
