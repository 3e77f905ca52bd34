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
