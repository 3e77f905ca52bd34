import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Category, parentSlug } from '../../../../shared/uploads/categories.ts'
import { DEFAULT_POLICY } from '../../../../shared/uploads/category-policy.ts'
import { withEdited, withMoved, withoutSubtree } from '../category-edits.ts'
import { isSameCategory, isSameList } from '../store/category-list.ts'
import { mergeCategories, ORDER, reconcileIds } from './category-merge.ts'
import { listDifferences } from './category-properties.ts'

const category = (slug: string, over: Partial<Category> = {}): Category => ({
  ...DEFAULT_POLICY,
  id: `id-${slug}`,
  name: slug,
  slug,
  icon: '',
  color: '',
  ...over,
})
const BASE = ['a', 'a::x', 'a::x::y', 'b', 'b::z', 'c'].map((slug) => category(slug))
const edit = (list: readonly Category[], slug: string, over: Partial<Category>) =>
  withEdited(list, { ...list.find((each) => each.slug === slug)!, ...over }, 'unused')
const add = (list: readonly Category[], slug: string, id = `new-${slug}`) =>
  withEdited(list, category(slug, { id: null }), id)
const slugs = (list: readonly Category[]) => list.map(({ slug }) => slug)
const find = (list: readonly Category[], slug: string) => list.find((each) => each.slug === slug)

describe('the merge of the changes of two administrators', () => {
  it('has no conflicts if they changed different categories or different properties of one category', () => {
    const mine = edit(edit(BASE, 'a', { color: '#111111' }), 'b', { name: 'B' })
    const theirs = add(edit(BASE, 'a', { icon: 'zip' }), 'd')
    const { list, conflicts } = mergeCategories(BASE, mine, theirs)
    expect(conflicts).toEqual([])
    expect(find(list, 'a')).toMatchObject({ color: '#111111', icon: 'zip' })
    expect(find(list, 'b')).toMatchObject({ name: 'B' })
    expect(slugs(list)).toEqual([...slugs(BASE), 'd'])
  })

  it('moves what one has changed under a category when the other renames or moves the category', () => {
    const mine = edit(BASE, 'a', { slug: 'alpha' })
    const theirs = add(edit(BASE, 'a::x', { color: '#222222' }), 'a::n')
    const { list, conflicts } = mergeCategories(BASE, mine, theirs)
    expect(conflicts).toEqual([])
    expect(slugs(list)).toEqual(['alpha', 'alpha::x', 'alpha::x::y', 'b', 'b::z', 'c', 'alpha::n'])
    expect(find(list, 'alpha::x')).toMatchObject({ color: '#222222' })
  })

  it('has a conflict if both changed the same property, and the choice applies to it alone', () => {
    const mine = edit(BASE, 'a', { name: 'Mine', icon: 'pdf' })
    const theirs = edit(BASE, 'a', { name: 'Theirs', reviewers: 2 })
    const { conflicts } = mergeCategories(BASE, mine, theirs)
    expect(conflicts).toMatchObject([
      { id: 'id-a', properties: ['name'], mine: { name: 'Mine' }, theirs: { name: 'Theirs' } },
    ])
    for (const [choice, name] of [
      ['mine', 'Mine'],
      ['theirs', 'Theirs'],
    ] as const) {
      const { list } = mergeCategories(BASE, mine, theirs, new Map([['id-a', choice]]))
      expect(find(list, 'a')).toMatchObject({ name, icon: 'pdf', reviewers: 2 })
    }
  })

  it('has a conflict if one removed what the other changed; with any choice every parent exists', () => {
    const mine = edit(BASE, 'a::x::y', { name: 'Y' })
    const theirs = withoutSubtree(BASE, 'a')
    const { conflicts } = mergeCategories(BASE, mine, theirs)
    expect(conflicts).toMatchObject([{ id: 'id-a::x::y', theirs: null, properties: [] }])
    const kept = mergeCategories(BASE, mine, theirs, new Map([['id-a::x::y', 'mine']]))
    expect(slugs(kept.list).sort()).toEqual(slugs(BASE).sort())
    expect(slugs(kept.keptParents).sort()).toEqual(['a', 'a::x'])
    const gone = mergeCategories(BASE, mine, theirs, new Map([['id-a::x::y', 'theirs']]))
    expect(slugs(gone.list)).toEqual(['b', 'b::z', 'c'])
  })

  it('keeps a removed parent under which the other has added a category', () => {
    const { list, keptParents, conflicts } = mergeCategories(
      BASE,
      add(BASE, 'c::n'),
      withoutSubtree(BASE, 'c'),
    )
    expect(conflicts).toEqual([])
    expect(slugs(list)).toContain('c::n')
    expect(slugs(keptParents)).toEqual(['c'])
  })

  it('uses the saved places of two categories that were moved under each other', () => {
    const free = () => false
    const mine = withMoved(BASE, 'c', { parent: 'b', before: null }, free)
    const theirs = withMoved(withoutSubtree(BASE, 'b::z'), 'b', { parent: 'c', before: null }, free)
    const { list, untied } = mergeCategories(
      withoutSubtree(BASE, 'b::z'),
      withoutSubtree(mine, 'b::z'),
      theirs,
    )
    expect(slugs(list)).toContain('c::b')
    expect(untied.length).toBeGreaterThan(0)
  })

  it('gives the slug of two equal slugs to the saved category', () => {
    const mine = edit(BASE, 'b', { slug: 'd' })
    const theirs = add(BASE, 'd')
    const { list, renumbered } = mergeCategories(BASE, mine, theirs)
    expect(find(list, 'd')?.id).toBe('new-d')
    expect(slugs(list)).toContain('d-2::z')
    expect(slugs(renumbered)).toEqual(['d-2'])
  })

  it('has a conflict of order only if both changed the order differently', () => {
    const up = withMoved(BASE, 'c', { parent: null, before: 'a' }, () => false)
    const down = withMoved(BASE, 'a', { parent: null, before: null }, () => false)
    expect(mergeCategories(BASE, up, edit(BASE, 'a', { name: 'A' })).conflicts).toEqual([])
    expect(mergeCategories(BASE, up, up).conflicts).toEqual([])
    expect(mergeCategories(BASE, up, down).conflicts).toMatchObject([{ id: ORDER }])
    expect(slugs(mergeCategories(BASE, up, down, new Map([[ORDER, 'theirs']])).list)).toEqual(slugs(down))
  })
})

describe('the ids of a reloaded list', () => {
  const fresh = (list: readonly Category[]) => list.map((each, index) => ({ ...each, id: `fresh-${index}` }))

  it('are those of this page by slug, by moved slug, and for categories that both have added', () => {
    const mine = add(BASE, 'n')
    const theirs = fresh([...edit(BASE, 'b', { slug: 'beta' }), category('n'), category('o')])
    const adopted = reconcileIds(BASE, mine, theirs, { b: 'beta', 'b::z': 'beta::z' })
    expect(adopted.map(({ id }) => id)).toEqual([...BASE.map(({ id }) => id), 'new-n', 'fresh-7'])
  })

  it('are not given to a category that was merged into an existing category', () => {
    const theirs = fresh(withoutSubtree(BASE, 'c'))
    expect(reconcileIds(BASE, BASE, theirs, { c: 'a' }).map(({ id }) => id)).toEqual(
      withoutSubtree(BASE, 'c').map(({ id }) => id),
    )
  })
})

describe('the merge of arbitrary changes', () => {
  const slug = fc.constantFrom(...slugs(BASE), 'n', 'a::n', 'b::n')
  const step = fc.oneof(
    fc.record({ kind: fc.constant('edit' as const), slug, name: fc.constantFrom('P', 'Q') }),
    fc.record({ kind: fc.constant('rename' as const), slug, part: fc.constantFrom('p', 'q') }),
    fc.record({ kind: fc.constant('add' as const), slug }),
    fc.record({ kind: fc.constant('remove' as const), slug }),
    fc.record({ kind: fc.constant('move' as const), slug, parent: fc.option(slug) }),
  )
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never
  const apply = (who: string, steps: readonly Step[]) =>
    steps.reduce<Category[]>(
      (list, doing, index) => {
        const has = find(list, doing.slug)
        if (doing.kind === 'add') {
          const parent = parentSlug(doing.slug)
          return has || (parent !== null && !find(list, parent))
            ? list
            : add(list, doing.slug, `${who}-${index}`)
        }
        if (!has) return list
        const isTaken = (each: string) => !!find(list, each)
        if (doing.kind === 'edit') return edit(list, doing.slug, { name: doing.name })
        if (doing.kind === 'remove') return withoutSubtree(list, doing.slug)
        if (doing.kind === 'move') {
          if (doing.parent !== null && !find(list, doing.parent)) return list
          return withMoved(list, doing.slug, { parent: doing.parent, before: null }, isTaken)
        }
        const to = [parentSlug(doing.slug), doing.part].filter((part) => part !== null).join('::')
        return isTaken(to) ? list : edit(list, doing.slug, { slug: to })
      },
      [...BASE],
    )
  const side = (who: string) => fc.array(step, { maxLength: 5 }).map((steps) => apply(who, steps))

  it('is a tree without duplicates, and loses no change that only one has made', () => {
    fc.assert(
      fc.property(side('mine'), side('theirs'), fc.constantFrom('mine', 'theirs'), (mine, theirs, choice) => {
        const requested = mergeCategories(BASE, mine, theirs).conflicts
        const choices = new Map(requested.map(({ id }) => [id, choice] as const))
        const { list, untied } = mergeCategories(BASE, mine, theirs, choices)
        expect(new Set(slugs(list)).size).toBe(list.length)
        expect(new Set(list.map(({ id }) => id)).size).toBe(list.length)
        for (const each of slugs(list)) {
          const parent = parentSlug(each)
          if (parent !== null) expect(slugs(list)).toContain(parent)
        }
        const collided = new Set([...requested, ...untied].map(({ id }) => id))
        for (const [from, other] of [
          [mine, theirs],
          [theirs, mine],
        ] as const) {
          const { added, changed } = listDifferences(BASE, from)
          for (const { id } of added) expect(list.some((each) => each.id === id)).toBe(true)
          for (const { category: changedOne } of changed) {
            if (collided.has(changedOne.id!)) continue
            expect(list.find(({ id }) => id === changedOne.id)?.name).toBe(
              changedOne.name === find(BASE, changedOne.id!.slice(3))?.name
                ? (other.find(({ id }) => id === changedOne.id) ?? changedOne).name
                : changedOne.name,
            )
          }
        }
      }),
      { numRuns: 2000 },
    )
  })

  it('is the changed list if only one side has changed something', () => {
    fc.assert(
      fc.property(side('any'), (any) => {
        expect(isSameList(mergeCategories(BASE, any, BASE).list, any)).toBe(true)
        expect(isSameList(mergeCategories(BASE, BASE, any).list, any)).toBe(true)
        const both = mergeCategories(BASE, any, any)
        expect(both.conflicts).toEqual([])
        expect(both.list.every((each, index) => isSameCategory(each, any[index]!))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
