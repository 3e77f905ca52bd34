import { describe, expect, it } from 'vitest'
import { categoryTree, nameFromSlug, parentSlug, SLUG_PATTERN } from './categories.ts'

const category = (slug: string) => ({ id: null, name: slug, slug, icon: '', color: '' })

describe('slugs', () => {
  it('contain the hierarchy [3.4]', () => {
    expect(['a', 'a::b', 'a::b::c'].map(parentSlug)).toEqual([null, 'a', 'a::b'])
  })

  it.each(['a', 'laborator::new', 'imagistica::ct-torace::2', 'a::b::c::d'])('include %s', (slug) =>
    expect(slug).toMatch(SLUG_PATTERN),
  )

  it.each(['', 'a::', '::a', 'a::::b', 'a:b', 'a:::b', 'A', 'ș', 'a b', 'a%', 'a_b', 'a\n', 'a/b'])(
    'do not include %j',
    (slug) => expect(slug).not.toMatch(SLUG_PATTERN),
  )

  it.each([
    ['imagistica', 'Imagistica'],
    ['imagistica::ct-torace', 'Ct torace'],
    ['a::b::încă-una', 'Încă una'],
    ['', ''],
    ['a::', ''],
  ])('are named: %j is %j', (slug, name) => expect(nameFromSlug(slug)).toBe(name))
})

describe('categoryTree', () => {
  it('nests by slug in the order of the list, for any position of the parent [3.5]', () => {
    const tree = categoryTree(['b::c', 'b', 'a', 'b::a', 'b::c::d'].map(category))
    expect(tree).toMatchObject([
      { slug: 'b', children: [{ slug: 'b::c', children: [{ slug: 'b::c::d' }] }, { slug: 'b::a' }] },
      { slug: 'a', children: [] },
    ])
  })

  it('returns three levels and leaves out deeper ones [3.5] [9.1]', () => {
    const [a] = categoryTree(['a', 'a::b', 'a::b::c', 'a::b::c::d'].map(category))
    expect(a?.children[0]?.children).toMatchObject([{ slug: 'a::b::c', children: [] }])
  })
})
