import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectedFetch } from './connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.unstubAllGlobals()
})

/** Makes `fetch` respond with a body whose parts the test sends; an abort ends the body. */
function stubResponse() {
  let controller!: ReadableStreamDefaultController<Uint8Array>
  vi.stubGlobal('fetch', async (_input: unknown, { signal }: RequestInit) => {
    const body = new ReadableStream<Uint8Array>({
      start: (created) => {
        controller = created
      },
    })
    signal?.addEventListener('abort', () => controller.error(signal.reason))
    return new Response(body, { status: 200, headers: { 'content-length': '3' } })
  })
  return { send: (text: string) => controller.enqueue(Buffer.from(text)), end: () => controller.close() }
}

it('a slow response is complete within the time that the request gives it', async () => {
  const { send, end } = stubResponse()
  const text = (await connectedFetch('/files/a', { timeoutMs: 120_000 })).text()
  for (const part of ['a', 'b', 'c']) {
    await vi.advanceTimersByTimeAsync(29_000)
    send(part)
  }
  end()
  expect(await text).toBe('abc')
})

it('a response that stops is aborted after 30 s', async () => {
  const { send } = stubResponse()
  const text = (await connectedFetch('/files/a')).text()
  const failure = expect(text).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(29_000)
  send('a')
  await vi.advanceTimersByTimeAsync(1_000)
  await failure
})

it('a request without a response is not repeated after its time, nor after it was cancelled [7.12]', async () => {
  const sent = vi.fn(
    (_input: unknown, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      }),
  )
  vi.stubGlobal('fetch', sent)
  const slow = expect(connectedFetch('/api/site')).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(60_000)
  await slow
  expect(sent).toHaveBeenCalledTimes(1)

  const cancelled = new AbortController()
  const left = expect(connectedFetch('/api/site', { signal: cancelled.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
  cancelled.abort()
  await left
  expect(sent).toHaveBeenCalledTimes(2)
})

it('the pause before a retry ends when the request is cancelled, and counts for its time [7.12]', async () => {
  const sent = vi.fn(async () => new Response('', { status: 503, headers: { 'retry-after': '10' } }))
  vi.stubGlobal('fetch', sent)
  const cancelled = new AbortController()
  const left = expect(connectedFetch('/files/a', { signal: cancelled.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
  await vi.advanceTimersByTimeAsync(1_000)
  cancelled.abort()
  await left

  const slow = expect(connectedFetch('/files/a', { timeoutMs: 5_000 })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await vi.advanceTimersByTimeAsync(5_000)
  await slow
  expect(sent).toHaveBeenCalledTimes(2)
})

it.each([
  ['2', 2_000],
  ['3600', 10_000],
])('a Retry-After of %s s delays the retry by %i ms [7.12]', async (retryAfter, delay) => {
  const sent = vi
    .fn(async () => new Response('{}'))
    .mockResolvedValueOnce(new Response('', { status: 503, headers: { 'retry-after': retryAfter } }))
  vi.stubGlobal('fetch', sent)
  const response = connectedFetch('/api/site')
  await vi.advanceTimersByTimeAsync(delay - 1)
  expect(sent).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect((await response).status).toBe(200)
  expect(sent).toHaveBeenCalledTimes(2)
})
