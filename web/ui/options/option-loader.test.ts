import { beforeEach, expect, test, vi } from 'vitest'
import { DEBOUNCE_MS } from '../hooks/debounce-ms.ts'
import { type LoadOptions, OptionLoader } from './option-loader.ts'

beforeEach(() => void vi.useFakeTimers())

type Page = Awaited<ReturnType<LoadOptions>>
const page = (ids: string, next: string | null = null): Page => ({
  options: [...ids].map((id) => ({ id, label: id })),
  next,
})

/** Starts a loader whose responses the test gives per request (`text`, or `text@cursor` for later pages). */
function startLoader() {
  const requested: string[] = []
  const responses = new Map<string, { respond(page: Page): void; fail(error: unknown): void }>()
  const loader = new OptionLoader(
    (text, cursor) =>
      new Promise<Page>((respond, fail) => {
        const request = cursor === null ? text : `${text}@${cursor}`
        requested.push(request)
        responses.set(request, { respond, fail })
      }),
    () => {},
  )
  const flush = () => vi.advanceTimersByTimeAsync(0)
  const respond = async (request: string, response: Page) => {
    responses.get(request)!.respond(response)
    await flush()
  }
  const fail = async (request: string, error: unknown) => {
    responses.get(request)!.fail(error)
    await flush()
  }
  const ids = () => loader.state.options.map(({ id }) => id).join('')
  return { loader, requested, respond, fail, ids }
}

test('sends one request after the last key and the debounce time [3.10]', async () => {
  const { loader, requested } = startLoader()
  for (const text of ['p', 'po', 'pop']) {
    loader.search(text)
    await vi.advanceTimersByTimeAsync(DEBOUNCE_MS - 1)
  }
  expect(requested).toEqual([])
  expect(loader.state.isLoading).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(requested).toEqual(['pop'])
})

test('drops a response that arrives after the response to a newer request [3.10]', async () => {
  const { loader, respond, ids } = startLoader()
  loader.open('a')
  loader.search('b')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await respond('b', page('xy'))
  await respond('a', page('old'))
  expect(ids()).toBe('xy')
  expect(loader.state.isLoading).toBe(false)
})

test('clears the options of the previous text while the new request is in progress [3.10]', async () => {
  const { loader, respond, ids } = startLoader()
  loader.open('popescu')
  await respond('popescu', page('xy'))
  expect(ids()).toBe('xy')
  loader.search('moldovan')
  expect(ids()).toBe('')
  expect(loader.state.isLoading).toBe(true)
})

test('adds the next page once, without options that are already listed [3.10]', async () => {
  const { loader, requested, respond, ids } = startLoader()
  loader.open('')
  await respond('', page('abc', '2'))
  loader.loadMore()
  loader.loadMore()
  expect(requested).toEqual(['', '@2'])
  await respond('@2', page('cde'))
  expect(ids()).toBe('abcde')
  loader.loadMore()
  expect(requested).toHaveLength(2)
})

test('clears the options when the first page fails, and loads it again on retry [3.10]', async () => {
  const { loader, requested, respond, fail, ids } = startLoader()
  loader.open('')
  await respond('', page('abc'))
  loader.search('x')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await fail('x', new Error('no network'))
  expect(ids()).toBe('')
  expect(loader.state).toMatchObject({ isLoading: false, error: new Error('no network') })
  loader.retry()
  expect(loader.state.error).toBeNull()
  await respond('x', page('z'))
  expect(requested).toEqual(['', 'x', 'x'])
  expect(ids()).toBe('z')
})

test('does not show the error of the previous text for the next text', async () => {
  const { loader, fail } = startLoader()
  loader.open('a')
  await fail('a', new Error('no network'))
  loader.search('b')
  expect(loader.state).toMatchObject({ isLoading: true, error: null })
})

test('keeps the options when the next page fails, and retries that page only [3.10]', async () => {
  const { loader, requested, respond, fail, ids } = startLoader()
  loader.open('')
  await respond('', page('abc', '2'))
  loader.loadMore()
  await fail('@2', new Error('no network'))
  expect(ids()).toBe('abc')
  // Scrolling alone does not retry a failed page.
  loader.loadMore()
  expect(requested).toHaveLength(2)
  loader.retry()
  await respond('@2', page('d'))
  expect(requested).toEqual(['', '@2', '@2'])
  expect(ids()).toBe('abcd')
})

test('cancels the pending request when the list closes [3.10]', async () => {
  const { loader, requested, respond, ids } = startLoader()
  loader.open('')
  loader.cancel()
  expect(loader.state.isLoading).toBe(false)
  await respond('', page('abc'))
  expect(ids()).toBe('')
  loader.search('a')
  loader.cancel()
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  expect(requested).toEqual([''])
})

test('does not show the options of the previous text when the list opens for another text [3.10]', async () => {
  const { loader, respond, ids } = startLoader()
  loader.search('a')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await respond('a', page('a'))
  loader.open('')
  expect(ids()).toBe('')
  await respond('', page('abc'))
  loader.open('')
  expect(ids()).toBe('abc')
})
