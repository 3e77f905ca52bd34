import { expect, it } from 'vitest'
import type { Category } from '../../../../shared/uploads/categories.ts'
import { isSameList, readCategoryList } from './category-list.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const response = {
  json: JSON.stringify({
    tree: [
      { id: 'of-the-server', name: 'Imagistică', slug: 'imagistica', icon: 'folders', color: '#0369a1' },
      { id: 'of-the-server', name: 'CT', slug: 'imagistica::ct', icon: '', color: '' },
    ],
  }),
  details: { version: 7 },
}

it('readCategoryList gives every category a new id at every load [3.6]', () => {
  const [first, again] = [readCategoryList(response), readCategoryList(response)]
  const ids = [...first.tree, ...again.tree].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  for (const id of ids) expect(id).toMatch(UUID)
  expect(first.version).toBe(7)
  expect(first.tree.map(({ slug }) => slug)).toEqual(['imagistica', 'imagistica::ct'])
})

it('readCategoryList reads the list of a server that counts no versions [7.10]', () => {
  expect(readCategoryList({ json: '{"tree":[]}', details: undefined })).toEqual({
    tree: [],
    version: null,
    moved: {},
  })
})

it('isSameList is false exactly if something differs from the snapshot [4.7]', () => {
  const { tree: snapshot } = readCategoryList(response)
  const [first, second] = snapshot as [Category, Category]
  expect(isSameList(structuredClone(snapshot), snapshot)).toBe(true)
  expect(isSameList([], [])).toBe(true)
  for (const list of [
    [],
    [first],
    [second, first],
    [first, second, second],
    [first, { ...second, id: null }],
    [first, { ...second, name: 'Tomografie' }],
    [first, { ...second, slug: 'imagistica::rmn' }],
    [first, { ...second, icon: 'zip' }],
    [first, { ...second, color: '#fff' }],
  ]) {
    expect(isSameList(list, snapshot), JSON.stringify(list)).toBe(false)
  }
})
