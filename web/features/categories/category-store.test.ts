import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { DEFAULT_POLICY } from '../../../shared/categories.ts'
import { createCategoryStore } from './category-store.ts'

const category = (slug: string) => ({
  ...DEFAULT_POLICY,
  id: 'of-the-server',
  name: slug,
  slug,
  icon: '',
  color: '',
})
const listOf = (version: number, ...slugs: string[]) => JSON.stringify({ tree: slugs.map(category), version })

/** Calls that are answered when the test says so, in the order in which they were made. */
function openCalls() {
  const waiting: PromiseWithResolvers<string>[] = []
  const sent: string[] = []
  const call = () => {
    const answer = Promise.withResolvers<string>()
    waiting.push(answer)
    return answer.promise
  }
  const store = createCategoryStore({
    getCategories: () => {
      sent.push('getCategories')
      return call()
    },
    saveCategories: (input) => {
      sent.push(input)
      return call()
    },
  })
  const slugs = () => store.getState().list.map(({ slug }) => slug)
  return { store, sent, slugs, next: () => waiting.shift()! }
}

let warn: MockInstance
beforeEach(() => {
  warn = vi.spyOn(console, 'warn').mockReturnValue()
})

describe('the load', () => {
  it('runs once, however many ask for it, and not again once the list is there [4.11]', async () => {
    const { store, sent, slugs, next } = openCalls()
    const asked = [store.load(), store.load()]
    next().resolve(listOf(3, 'a', 'b'))
    await Promise.all(asked)
    await store.load()
    expect(sent).toEqual(['getCategories'])
    expect(slugs()).toEqual(['a', 'b'])
  })

  it('is not asked for again where there are no categories at all [4.11]', async () => {
    const { store, sent, next } = openCalls()
    const asked = store.load()
    next().resolve(listOf(1))
    await asked
    await store.load()
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['a refusal', (answer: PromiseWithResolvers<string>) => answer.reject(new Error('500'))],
    ['what is no list', (answer: PromiseWithResolvers<string>) => answer.resolve('<html>')],
  ])(
    'that fails with %s is logged and otherwise ignored; whoever comes next asks again [7.10] [8.11]',
    async (_what, fail) => {
      const { store, slugs, next } = openCalls()
      const failing = store.load()
      fail(next())
      await failing
      expect(warn).toHaveBeenCalledOnce()
      expect(slugs()).toEqual([])
      const asked = store.load()
      next().resolve(listOf(1, 'a'))
      await asked
      expect(slugs()).toEqual(['a'])
    },
  )

  it('of somebody who has left is not kept for the next, nor is its failure told', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const { store, slugs, next } = openCalls()
      const first = store.load()
      store.clear()
      const second = store.load()
      next()[end](listOf(1, 'former'))
      await first
      expect(slugs()).toEqual([])
      // The one under way is still known as such.
      expect(store.load()).toBe(second)
      next().resolve(listOf(1, 'present'))
      await second
      expect(slugs()).toEqual(['present'])
    }
    expect(warn).not.toHaveBeenCalled()
  })

  it('tells those who listen, until they stop', async () => {
    const { store, next } = openCalls()
    const heard = vi.fn()
    const stop = store.subscribe(heard)
    const asked = store.load()
    next().resolve(listOf(1, 'a'))
    await asked
    expect(heard).toHaveBeenCalledOnce()
    stop()
    store.clear()
    expect(heard).toHaveBeenCalledOnce()
  })
})

describe('saving', () => {
  async function openLoaded() {
    const calls = openCalls()
    const asked = calls.store.load()
    calls.next().resolve(listOf(3, 'a', 'b'))
    await asked
    return calls
  }

  it('sends the whole flat list with its version and takes list and snapshot from the answer [4.7] [4.10]', async () => {
    const { store, sent, slugs, next } = await openLoaded()
    expect(store.isChanged()).toBe(false)
    store.change([...store.getState().list, { ...category('c'), id: null }])
    expect(store.isChanged()).toBe(true)

    const saving = store.saveAll()
    const input = JSON.parse(sent[1]!)
    expect(input.version).toBe(3)
    expect(input.tree.map(({ slug }: { slug: string }) => slug)).toEqual(['a', 'b', 'c'])
    next().resolve(listOf(4, 'a', 'c'))
    await saving
    const { list, snapshot, version } = store.getState()
    expect(slugs()).toEqual(['a', 'c'])
    expect(snapshot).toEqual(list)
    expect(version).toBe(4)
    expect(store.isChanged()).toBe(false)
  })

  it('that is refused leaves the edited list and says so to the caller', async () => {
    const { store, slugs, next } = await openLoaded()
    store.change([])
    const saving = store.saveAll()
    next().reject(new Error('CONFLICT'))
    await expect(saving).rejects.toThrow('CONFLICT')
    expect(slugs()).toEqual([])
    expect(store.isChanged()).toBe(true)
    expect(store.getState().version).toBe(3)
  })

  it('of a list that was never loaded carries a version that no list has', async () => {
    const { store, sent, next } = openCalls()
    const saving = store.saveAll()
    expect(JSON.parse(sent[0]!)).toEqual({ tree: [], version: 0 })
    next().reject(new Error('CONFLICT'))
    await expect(saving).rejects.toThrow()
  })
})
