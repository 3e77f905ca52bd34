import type { Category } from '../../../shared/uploads/categories.ts'
import { isSameCategory } from './store/category-list.ts'

type List = readonly Category[]

/** Returns the slugs in the list of categories that are new or changed since the snapshot. */
export function listUnsavedSlugs(snapshot: List, list: List): ReadonlySet<string> {
  const saved = new Map(snapshot.map((category) => [category.id, category]))
  const isUnsaved = (category: Category) => {
    const was = saved.get(category.id)
    return !was || !isSameCategory(was, category)
  }
  return new Set(list.filter(isUnsaved).map(({ slug }) => slug))
}

/**
 * Returns the number of uploads for each slug in the list; `counts` has them by saved slug, and is null until
 * they are loaded.
 */
export function countByListedSlug(
  snapshot: List,
  list: List,
  counts: ReadonlyMap<string, number> | null,
): ReadonlyMap<string, number> {
  const saved = new Map(snapshot.map(({ id, slug }) => [id, slug]))
  return new Map(list.map(({ id, slug }) => [slug, counts?.get(saved.get(id) ?? '') ?? 0]))
}
