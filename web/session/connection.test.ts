import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connectedFetch } from './connection.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
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

it('a response may take any time while parts of it arrive', async () => {
  const { send, end } = stubResponse()
  const response = await connectedFetch('/files/a')
  const text = response.text()
  for (const part of ['a', 'b', 'c']) {
    await vi.advanceTimersByTimeAsync(29_000)
    send(part)
  }
  await vi.advanceTimersByTimeAsync(29_000)
  end()
  expect(await text).toBe('abc')
  expect(response.headers.get('content-length')).toBe('3')
  expect(vi.getTimerCount()).toBe(0)
})

it('a response without content is returned as it is', async () => {
  const empty = new Response(null, { status: 204 })
  Object.defineProperty(empty, 'body', { value: new ReadableStream() })
  vi.stubGlobal('fetch', async () => empty)
  expect(await connectedFetch('/files/a/check')).toBe(empty)
  expect(vi.getTimerCount()).toBe(0)
})

it('a response that stops is aborted after 30 s', async () => {
  const { send } = stubResponse()
  const text = (await connectedFetch('/files/a')).text()
  const failure = expect(text).rejects.toMatchObject({ name: 'TimeoutError' })
  await vi.advanceTimersByTimeAsync(29_000)
  send('a')
  await vi.advanceTimersByTimeAsync(30_000)
  await failure
})
