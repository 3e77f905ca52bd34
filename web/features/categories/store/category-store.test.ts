import fc from 'fast-check'
import { beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import type { Category } from '../../../../shared/uploads/categories.ts'
import { DEFAULT_POLICY } from '../../../../shared/uploads/category-policy.ts'
import type { CategoryResponse } from './category-list.ts'
import { isSlugTaken } from './category-state.ts'
import { type CategoryStore, createCategoryStore } from './category-store.ts'

const category = (slug: string) => ({
  ...DEFAULT_POLICY,
  id: 'of-the-server',
  name: slug,
  slug,
  icon: '',
  color: '',
})
const listOf = (version: number, ...slugs: string[]): CategoryResponse => ({
  json: JSON.stringify({ tree: slugs.map(category) }),
  details: { version },
})

/** Returns calls that the test resolves, in the order in which they were made. */
function openCalls() {
  const waiting: PromiseWithResolvers<CategoryResponse>[] = []
  const sent: (string | [string, unknown])[] = []
  const call = () => {
    const response = Promise.withResolvers<CategoryResponse>()
    waiting.push(response)
    return response.promise
  }
  const store = createCategoryStore({
    getCategories: () => {
      sent.push('getCategories')
      return call()
    },
    saveCategories: (input, details) => {
      sent.push([input, details])
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

/** Returns the calls of a store that has loaded the categories a and b, in version 3. */
async function openLoaded() {
  const calls = openCalls()
  const requested = calls.store.load()
  calls.next().resolve(listOf(3, 'a', 'b'))
  await requested
  return calls
}

describe('the load of categories', () => {
  it('runs once for simultaneous calls, and not again once the list is loaded [4.11]', async () => {
    const { store, sent, slugs, next } = openCalls()
    const requested = [store.load(), store.load()]
    next().resolve(listOf(3, 'a', 'b'))
    await Promise.all(requested)
    await store.load()
    expect(sent).toEqual(['getCategories'])
    expect(slugs()).toEqual(['a', 'b'])
  })

  it('is not repeated if there are no categories [4.11]', async () => {
    const { store, sent, next } = openCalls()
    const requested = store.load()
    next().resolve(listOf(1))
    await requested
    await store.load()
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['a rejection', (response: PromiseWithResolvers<CategoryResponse>) => response.reject(new Error('500'))],
    [
      'what is no list',
      (response: PromiseWithResolvers<CategoryResponse>) =>
        response.resolve({ json: '<html>', details: undefined }),
    ],
  ])('that fails with %s is only logged, and the next call repeats it [7.10] [8.11]', async (_what, fail) => {
    const { store, slugs, next } = openCalls()
    const failing = store.load()
    fail(next())
    await failing
    expect(warn).toHaveBeenCalledOnce()
    expect(slugs()).toEqual([])
    const requested = store.load()
    next().resolve(listOf(1, 'a'))
    await requested
    expect(slugs()).toEqual(['a'])
  })

  it('of a user who has signed out is discarded, and its failure is not logged', async () => {
    for (const end of ['resolve', 'reject'] as const) {
      const { store, slugs, next } = openCalls()
      const first = store.load()
      store.clear()
      const second = store.load()
      next()[end](listOf(1, 'former'))
      await first
      expect(slugs()).toEqual([])
      // The running request is still shared.
      expect(store.load()).toBe(second)
      next().resolve(listOf(1, 'present'))
      await second
      expect(slugs()).toEqual(['present'])
    }
    expect(warn).not.toHaveBeenCalled()
  })

  it('notifies listeners until they unsubscribe', async () => {
    const { store, next } = openCalls()
    const listener = vi.fn()
    const stop = store.subscribe(listener)
    const requested = store.load()
    next().resolve(listOf(1, 'a'))
    await requested
    expect(listener).toHaveBeenCalledOnce()
    stop()
    store.clear()
    expect(listener).toHaveBeenCalledOnce()
  })
})

describe('saving categories', () => {
  it('sends the whole flat list with its version and takes list and snapshot from the response [4.7] [4.10]', async () => {
    const { store, sent, slugs, next } = await openLoaded()
    expect(store.isChanged()).toBe(false)
    store.change([...store.getState().list, { ...category('c'), id: null }])
    expect(store.isChanged()).toBe(true)

    const saving = store.saveAll()
    const [input, details] = sent[1] as [string, unknown]
    expect(details).toEqual({ version: 3 })
    expect(JSON.parse(input).map(({ slug }: { slug: string }) => slug)).toEqual(['a', 'b', 'c'])
    next().resolve(listOf(4, 'a', 'c'))
    await saving
    const { list, snapshot, version } = store.getState()
    expect(slugs()).toEqual(['a', 'c'])
    expect(snapshot).toEqual(list)
    expect(version).toBe(4)
    expect(store.isChanged()).toBe(false)
  })

  it('that is rejected keeps the edited list and rejects', async () => {
    const { store, slugs, next } = await openLoaded()
    store.change([])
    const saving = store.saveAll()
    next().reject(new Error('CONFLICT'))
    await expect(saving).rejects.toThrow('CONFLICT')
    expect(slugs()).toEqual([])
    expect(store.isChanged()).toBe(true)
    expect(store.getState().version).toBe(3)
  })

  it('of a list that was never loaded sends a version that no list has', async () => {
    const { store, sent, next } = openCalls()
    const saving = store.saveAll()
    expect(sent).toEqual([['[]', { version: 0 }]])
    next().reject(new Error('CONFLICT'))
    await expect(saving).rejects.toThrow()
  })
})

describe('editing categories', () => {
  async function openLoaded(...slugs: string[]) {
    const calls = openCalls()
    const requested = calls.store.load()
    calls.next().resolve(listOf(3, ...slugs))
    await requested
    return calls
  }
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

  it('copies a category into the buffer; saving it replaces the one with its id and clears the buffer [4.8]', async () => {
    const { store } = await openLoaded('a', 'b')
    const [first, second] = store.getState().list
    store.edit(first!)
    store.fill({ name: 'Altfel' })
    expect(store.getState().list[0]).toBe(first)
    expect(store.isChanged()).toBe(false)
    store.saveEdit()
    expect(store.getState().list).toEqual([{ ...first, name: 'Altfel' }, second])
    expect(store.getState().edited).toBeNull()
    expect(store.isChanged()).toBe(true)
  })

  it('a new child is a draft named New under its parent, with icon, colour and id empty [4.9] [9.1]', async () => {
    const { store, slugs } = await openLoaded('a')
    store.addChild('a')
    expect(store.getState().edited).toEqual({
      ...DEFAULT_POLICY,
      id: null,
      name: 'New',
      slug: 'a::new',
      icon: '',
      color: '',
    })
    expect(slugs()).toEqual(['a'])
    store.saveEdit()
    expect(slugs()).toEqual(['a', 'a::new'])
    expect(store.getState().list[1]?.id).toMatch(UUID)
    expect(store.getState().edited).toBeNull()
  })

  it('saving without an edit in progress does nothing, also after a cancelled edit [4.8]', async () => {
    const { store } = await openLoaded('a')
    const before = store.getState()
    store.saveEdit()
    expect(store.getState()).toBe(before)
    store.addChild('a')
    store.cancelEdit()
    store.saveEdit()
    expect(store.getState().list).toBe(before.list)
  })

  it('a new slug changes the slugs of the descendants, but no slug that only begins alike', async () => {
    const { store, slugs } = await openLoaded('a', 'a::b', 'a::b::c', 'a::b::c::d', 'ab')
    store.edit(store.getState().list[0]!)
    store.fill({ slug: 'z' })
    store.saveEdit()
    expect(slugs()).toEqual(['z', 'z::b', 'z::b::c', 'z::b::c::d', 'ab'])
  })

  it('a category moves with its descendants, never deeper than three levels or under itself [9.1]', async () => {
    const { store, slugs } = await openLoaded('a', 'a::b', 'c', 'c::d', 'c::d::e', 'a::b::deep::deeper')
    const before = slugs()
    for (const [slug, parent] of [
      ['c', 'a'],
      ['c', 'c::d'],
      ['c', 'c'],
      ['a::b', 'c::d::e'],
    ] as const) {
      store.move(slug, { parent, before: null })
      expect(slugs()).toEqual(before)
    }
    store.move('c::d', { parent: 'a', before: 'a::b' })
    expect(slugs()).toEqual(['a', 'a::d', 'a::d::e', 'a::b', 'c', 'a::b::deep::deeper'])
    store.moveStep('a::d', 1)
    expect(slugs().filter((slug) => slug.startsWith('a::') && slug.split('::').length === 2)).toEqual([
      'a::b',
      'a::d',
    ])
  })

  it('a moved category gets no slug that another category has saved, so that uploads are not mixed up', async () => {
    const { store, slugs } = await openLoaded('a', 'a::x', 'b', 'b::x')
    store.move('a::x', { parent: 'b', before: null })
    expect(slugs()).toContain('b::x-2')
    store.remove('b::x')
    expect(isSlugTaken(store.getState(), 'b::x', null)).toBe(true)
    // Its own saved slug is not taken.
    const { id } = store.getState().list.find(({ slug }) => slug === 'b::x-2')!
    expect(isSlugTaken(store.getState(), 'a::x', id)).toBe(false)
  })

  it('any sequence of edits has the result that the specification defines [4.7] [4.8] [4.9]', async () => {
    type Model = { list: Category[]; edited: Category | null }
    const slug = fc.constantFrom('a', 'a::b', 'c', 'a::new', 'new')
    const withoutIds = (list: readonly Category[]) => list.map(({ id: _, ...rest }) => rest)
    const command = fc.oneof(
      slug.map((at) => ({
        name: `edit ${at}`,
        model: (m: Model) => {
          const found = m.list.find((each) => each.slug === at)
          if (found) m.edited = { ...found }
        },
        run: (store: CategoryStore) => {
          const found = store.getState().list.find((each) => each.slug === at)
          if (found) store.edit(found)
        },
      })),
      fc.option(slug).map((parent) => ({
        name: `add under ${parent}`,
        model: (m: Model) => {
          const slug = parent === null ? 'new' : `${parent}::new`
          m.edited = { ...DEFAULT_POLICY, id: null, name: 'New', slug, icon: '', color: '' }
        },
        run: (store: CategoryStore) => store.addChild(parent),
      })),
      fc.constantFrom('Unu', 'Doi').map((name) => ({
        name: `fill ${name}`,
        model: (m: Model) => {
          if (m.edited) m.edited = { ...m.edited, name }
        },
        run: (store: CategoryStore) => store.fill({ name }),
      })),
      fc.constant({
        name: 'save the edit',
        model: (m: Model) => {
          const { edited } = m
          if (!edited) return
          if (edited.id === null) m.list.push({ ...edited, id: 'added' })
          else
            m.list = m.list.map((each) =>
              each.slug === edited.slug && each.id === edited.id ? edited : each,
            )
          m.edited = null
        },
        run: (store: CategoryStore) => {
          const before = new Set(store.getState().list.map(({ id }) => id))
          const isNew = store.getState().edited?.id === null
          store.saveEdit()
          const added = store.getState().list.filter(({ id }) => !before.has(id))
          expect(added).toHaveLength(isNew ? 1 : 0)
          for (const { id } of added) expect(id).toMatch(UUID)
        },
      }),
      fc.constant({
        name: 'cancel',
        model: (m: Model) => {
          m.edited = null
        },
        run: (store: CategoryStore) => store.cancelEdit(),
      }),
      slug.map((at) => ({
        name: `remove ${at}`,
        model: (m: Model) => {
          m.list = m.list.filter((each) => each.slug !== at && !each.slug.startsWith(`${at}::`))
        },
        run: (store: CategoryStore) => store.remove(at),
      })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const { store } = await openLoaded('a', 'a::b', 'c')
        const snapshot = store.getState().list
        const model: Model = { list: [...snapshot], edited: null }
        for (const { model: expectOf, run } of commands) {
          // The form rejects a duplicate slug, so the test does not save it.
          const { edited } = model
          if (edited?.id === null && model.list.some((each) => each.slug === edited.slug)) {
            store.cancelEdit()
            model.edited = null
          }
          expectOf(model)
          run(store)
          expect(withoutIds(store.getState().list)).toEqual(withoutIds(model.list))
          expect(store.getState().edited?.slug).toBe(model.edited?.slug)
          expect(store.getState().edited?.name).toBe(model.edited?.name)
          expect(store.getState().snapshot).toBe(snapshot)
          expect(store.isChanged()).toBe(JSON.stringify(store.getState().list) !== JSON.stringify(snapshot))
        }
        store.discard()
        expect(store.isChanged()).toBe(false)
        expect(store.getState()).toMatchObject({ list: snapshot, edited: null })
      }),
      { numRuns: 500 },
    )
  })
})

describe('a save of another user', () => {
  async function refreshWith(calls: Awaited<ReturnType<typeof openLoaded>>, response: CategoryResponse) {
    const before = calls.sent.length
    const requested = calls.store.refresh()
    await vi.waitFor(() => expect(calls.sent.length).toBe(before + 1))
    calls.next().resolve(response)
    await requested
  }

  it('is shown at once if nothing is unsaved', async () => {
    const calls = await openLoaded()
    await refreshWith(calls, listOf(4, 'a', 'c'))
    expect(calls.slugs()).toEqual(['a', 'c'])
    expect(calls.store.getState()).toMatchObject({ version: 4, arrived: null })
    expect(calls.store.isChanged()).toBe(false)
  })

  it('overwrites neither the list nor the edit buffer; merge() merges the lists', async () => {
    const calls = await openLoaded()
    calls.store.addChild('b')
    await refreshWith(calls, listOf(4, 'a', 'b', 'c'))
    expect(calls.store.getState().edited?.slug).toBe('b::new')
    calls.store.saveEdit()
    expect(calls.slugs()).toEqual(['a', 'b', 'b::new'])
    calls.store.merge()
    expect(calls.slugs().toSorted()).toEqual(['a', 'b', 'b::new', 'c'])
    expect(calls.store.getState()).toMatchObject({ version: 4, arrived: null })
    expect(calls.store.isChanged()).toBe(true)
    // The next save is based on the version of the other user.
    void calls.store.saveAll()
    expect(calls.sent.at(-1)?.[1]).toMatchObject({ version: 4 })
  })

  it('is not confused with an own save, regardless of the order of response and notification', async () => {
    const calls = await openLoaded()
    calls.store.remove('b')
    const saving = calls.store.saveAll()
    const refreshed = calls.store.refresh()
    calls.next().resolve(listOf(4, 'a'))
    await saving
    await vi.waitFor(() => expect(calls.sent.at(-1)).toBe('getCategories'))
    calls.store.remove('a')
    calls.next().resolve(listOf(4, 'a'))
    await refreshed
    expect(calls.store.getState().arrived).toBeNull()
    expect(calls.slugs()).toEqual([])
  })

  it('is not assumed when a server without versions sends the same list again [7.10]', async () => {
    const { store, slugs, sent, next } = openCalls()
    const listWithout = (...names: string[]) => ({ ...listOf(0, ...names), details: undefined })
    const requested = store.load()
    next().resolve(listWithout('a', 'b'))
    await requested
    const refresh = async (...names: string[]) => {
      const before = sent.length
      const refreshed = store.refresh()
      await vi.waitFor(() => expect(sent.length).toBe(before + 1))
      next().resolve(listWithout(...names))
      await refreshed
    }
    store.remove('a')
    await refresh('a', 'b')
    expect(store.getState().arrived).toBeNull()
    expect(slugs()).toEqual(['b'])
    await refresh('a', 'b', 'c')
    expect(store.getState().arrived?.tree.map(({ slug }) => slug)).toEqual(['a', 'b', 'c'])
    void store.saveAll()
    expect(sent.at(-1)?.[1]).toEqual({ version: null })
  })

  it('is shown once the own changes are discarded', async () => {
    const calls = await openLoaded()
    calls.store.remove('a')
    await refreshWith(calls, listOf(4, 'a', 'b', 'c'))
    calls.store.discard()
    expect(calls.slugs()).toEqual(['a', 'b', 'c'])
    expect(calls.store.isChanged()).toBe(false)
  })
})
