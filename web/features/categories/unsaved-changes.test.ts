import { expect, it } from 'vitest'
import type { Category } from '../../../shared/uploads/categories.ts'
import { DEFAULT_POLICY } from '../../../shared/uploads/category-policy.ts'
import { countByListedSlug, listUnsavedSlugs } from './unsaved-changes.ts'

const category = (id: string, slug: string): Category => ({
  ...DEFAULT_POLICY,
  id,
  name: slug,
  slug,
  icon: '',
  color: '',
})
const snapshot = [category('1', 'a'), category('2', 'b'), category('3', 'c')]
const list = [
  category('1', 'a'),
  { ...category('2', 'b'), reviewers: 2 as const },
  category('3', 'd'),
  category('4', 'e'),
]

it('marks new and changed categories by their slugs on the page', () => {
  expect([...listUnsavedSlugs(snapshot, list)]).toEqual(['b', 'd', 'e'])
  expect(listUnsavedSlugs(snapshot, snapshot).size).toBe(0)
})

it('counts the uploads of a category under its new slug, and none before the counts are loaded', () => {
  const counts = new Map([
    ['a', 1],
    ['c', 30],
  ])
  expect(Object.fromEntries(countByListedSlug(snapshot, list, counts))).toEqual({ a: 1, b: 0, d: 30, e: 0 })
  expect(Object.fromEntries(countByListedSlug(snapshot, list, null))).toEqual({ a: 0, b: 0, d: 0, e: 0 })
})
