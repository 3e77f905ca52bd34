import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { explainHttpError, http } from './http.ts'

// A 401 takes the cookie of the token away.
vi.stubGlobal('document', { cookie: '' })

// Signing out takes a cookie away.
beforeEach(() => void vi.stubGlobal('document', { cookie: '' }))
afterEach(() => void vi.unstubAllGlobals())

/** A server that answers with each of these in turn, the last one for ever, and counts what it is asked. */
async function serve(...responses: ((response: ServerResponse, request: IncomingMessage) => void)[]) {
  const requested: string[] = []
  const server = createServer((request, response) => {
    const answer = responses[Math.min(requested.length, responses.length - 1)]!
    requested.push(request.method!)
    request.resume()
    answer(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked: requested }
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
    it(`tries ${method} ${SAFE.includes(method) ? 'once more' : 'no second time'} [7.12]`, async () => {
      const counts: Record<number, number> = {}
      for (const code of [...RETRIED, ...FINAL]) {
        const { url, asked: requested } = await serve(status(code))
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

  it('takes the answer of the second try [7.12]', async () => {
    const { url, asked: requested } = await serve(status(503), json(200, { id: 'a' }))
    expect(await http(url)).toEqual({ id: 'a' })
    expect(requested).toHaveLength(2)
  })

  it('tries a safe request once more where nobody answers, and no other [7.12]', async () => {
    for (const [method, count] of [
      ['GET', 2],
      ['POST', 1],
    ] as const) {
      const { url, asked: requested } = await serve((response) => void response.destroy())
      await expect(http(url, { method })).rejects.toMatchObject({ status: undefined })
      expect([method, requested.length]).toEqual([method, count])
    }
  })

  it('waits for the second try as long as the server asks, and ten seconds at most [7.12]', async () => {
    for (const [retryAfter, pause] of [
      ['2', 2000],
      ['3600', 10_000],
    ] as const) {
      const { url, asked: requested } = await serve(status(503, { 'retry-after': retryAfter }), json(200, {}))
      vi.useFakeTimers({ toFake: ['setTimeout'] })
      onTestFinished(() => void vi.useRealTimers())
      const timers = vi.spyOn(globalThis, 'setTimeout')
      const answer = http(url)
      while (!timers.mock.calls.some(([, delay]) => delay === pause)) await new Promise(setImmediate)
      await vi.advanceTimersByTimeAsync(pause - 1)
      expect(requested).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await answer).toEqual({})
      expect(requested).toHaveLength(2)
      timers.mockRestore()
    }
  })

  it('signs out where the server no longer knows the person, and only there [4.3]', async () => {
    vi.resetModules()
    const fresh = { ...(await import('./http.ts')), ...(await import('../session/session.ts')) }
    const { url } = await serve(status(403), status(401))
    await expect(fresh.http(url)).rejects.toMatchObject({ status: 403 })
    expect(fresh.getSession().status).toBe('loading')
    await expect(fresh.http(url)).rejects.toMatchObject({ status: 401 })
    expect(fresh.getSession().status).toBe('unauthenticated')
  })
})

describe('what went wrong', () => {
  const explain = (url: string) => http(url, { method: 'POST' }).then(() => null, explainHttpError)

  it('is said in the words of the server where it has some [7.12]', async () => {
    const { url } = await serve(json(409, { code: 'CONFLICT', message: 'Fișierul este deja aici.' }))
    expect(await explain(url)).toBe('Fișierul este deja aici.')
  })

  it('is said in Romanian whatever stands before the server answers [7.12]', async () => {
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

  it('is not made up for errors of another kind', () => {
    expect(explainHttpError(new Error('bug'))).toBeNull()
  })
})
