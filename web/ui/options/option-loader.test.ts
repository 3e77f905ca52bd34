import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEBOUNCE_MS } from '../hooks/debounce-ms.ts'
import { type LoadOptions, OptionLoader } from './option-loader.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Page = Awaited<ReturnType<LoadOptions>>
const page = (ids: string, next: string | null = null): Page => ({
  options: [...ids].map((id) => ({ id, label: id })),
  next,
})

/** A loader whose answers the test gives, by question. */
function startLoader() {
  const requested: string[] = []
  const responses = new Map<string, { give(page: Page): void; refuse(error: unknown): void }>()
  const loader = new OptionLoader(
    (text, cursor) =>
      new Promise<Page>((give, refuse) => {
        const question = cursor === null ? text : `${text}@${cursor}`
        requested.push(question)
        responses.set(question, { give, refuse })
      }),
    () => {},
  )
  const settle = () => vi.advanceTimersByTimeAsync(0)
  const give = async (question: string, response: Page) => {
    responses.get(question)!.give(response)
    await settle()
  }
  const refuse = async (question: string, error: unknown) => {
    responses.get(question)!.refuse(error)
    await settle()
  }
  const ids = () => loader.state.options.map(({ id }) => id).join('')
  return { loader, asked: requested, give, refuse, ids }
}

test('asks once, a moment after the last key [3.10]', async () => {
  const { loader, asked: requested } = startLoader()
  for (const text of ['p', 'po', 'pop']) {
    loader.search(text)
    await vi.advanceTimersByTimeAsync(DEBOUNCE_MS - 1)
  }
  expect(requested).toEqual([])
  expect(loader.state.isLoading).toBe(true)
  await vi.advanceTimersByTimeAsync(1)
  expect(requested).toEqual(['pop'])
})

test('an answer that comes after the next question is dropped [3.10]', async () => {
  const { loader, give, ids } = startLoader()
  loader.open('a')
  loader.search('b')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await give('b', page('xy'))
  await give('a', page('old'))
  expect(ids()).toBe('xy')
  expect(loader.state.isLoading).toBe(false)
})

test('what answered to another question cannot be taken while the answer is awaited [3.10]', async () => {
  const { loader, give, ids } = startLoader()
  loader.open('popescu')
  await give('popescu', page('xy'))
  expect(ids()).toBe('xy')
  loader.search('moldovan')
  expect(ids()).toBe('')
  expect(loader.state.isLoading).toBe(true)
})

test('adds the next page once, without lines that are there already [3.10]', async () => {
  const { loader, asked: requested, give, ids } = startLoader()
  loader.open('')
  await give('', page('abc', '2'))
  loader.loadMore()
  loader.loadMore()
  expect(requested).toEqual(['', '@2'])
  await give('@2', page('cde'))
  expect(ids()).toBe('abcde')
  loader.loadMore()
  expect(requested).toHaveLength(2)
})

test('a refused first page leaves nothing and can be asked for again [3.10]', async () => {
  const { loader, asked: requested, give, refuse, ids } = startLoader()
  loader.open('')
  await give('', page('abc'))
  loader.search('x')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await refuse('x', new Error('no network'))
  expect(ids()).toBe('')
  expect(loader.state).toMatchObject({ isLoading: false, error: new Error('no network') })
  loader.retry()
  expect(loader.state.error).toBeNull()
  await give('x', page('z'))
  expect(requested).toEqual(['', 'x', 'x'])
  expect(ids()).toBe('z')
})

test('what one text was refused with is not shown under the next', async () => {
  const { loader, refuse } = startLoader()
  loader.open('a')
  await refuse('a', new Error('no network'))
  loader.search('b')
  expect(loader.state).toMatchObject({ isLoading: true, error: null })
})

test('a refused next page keeps what is there and asks for that page alone [3.10]', async () => {
  const { loader, asked: requested, give, refuse, ids } = startLoader()
  loader.open('')
  await give('', page('abc', '2'))
  loader.loadMore()
  await refuse('@2', new Error('no network'))
  expect(ids()).toBe('abc')
  // Scrolling does not ask by itself what has just been refused.
  loader.loadMore()
  expect(requested).toHaveLength(2)
  loader.retry()
  await give('@2', page('d'))
  expect(requested).toEqual(['', '@2', '@2'])
  expect(ids()).toBe('abcd')
})

test('closing gives up what is under way [3.10]', async () => {
  const { loader, asked: requested, give, ids } = startLoader()
  loader.open('')
  loader.cancel()
  expect(loader.state.isLoading).toBe(false)
  await give('', page('abc'))
  expect(ids()).toBe('')
  loader.search('a')
  loader.cancel()
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  expect(requested).toEqual([''])
})

test('opening on another text does not show what answered to the last one [3.10]', async () => {
  const { loader, give, ids } = startLoader()
  loader.search('a')
  await vi.advanceTimersByTimeAsync(DEBOUNCE_MS)
  await give('a', page('a'))
  loader.open('')
  expect(ids()).toBe('')
  await give('', page('abc'))
  loader.open('')
  expect(ids()).toBe('abc')
})
