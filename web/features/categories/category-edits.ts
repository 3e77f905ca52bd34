import {
  CATEGORY_DEPTH,
  type Category,
  isUnder,
  joinSlug,
  parentSlug,
  slugParts,
} from '../../../shared/uploads/categories.ts'
import { DEFAULT_POLICY } from '../../../shared/uploads/category-policy.ts'

type List = readonly Category[]

/** Returns a new category to be filled in: under `parent`, or on the top level if null [4.9][9.1]. */
export const draftCategory = (parent: string | null): Category => ({
  ...DEFAULT_POLICY,
  id: null,
  name: 'New',
  slug: joinSlug(parent, 'new'),
  icon: '',
  color: '',
})

/**
 * Returns the list with the edited category: added under `newId` if it has no id, otherwise in the place of
 * the category with its id [4.8]. Its descendants get its new slug as prefix, since the slug is the path in
 * the tree.
 */
export function withEdited(list: List, edited: Category, newId: string): Category[] {
  if (edited.id === null) return [...list, { ...edited, id: newId }]
  const previous = list.find(({ id }) => id === edited.id)
  if (!previous) return [...list]
  const replaced = list.map((category) => (category === previous ? edited : category))
  return previous.slug === edited.slug ? replaced : withPrefix(replaced, previous.slug, edited.slug)
}

/** Returns the list with the prefix `from` of all descendants' slugs replaced by `to`. */
const withPrefix = (list: List, from: string, to: string): Category[] =>
  list.map((category) =>
    isUnder(category.slug, from) ? { ...category, slug: to + category.slug.slice(from.length) } : category,
  )

/** Returns the category of that slug and all its descendants. */
export const subtreeOf = (list: List, slug: string): Category[] =>
  list.filter((category) => category.slug === slug || isUnder(category.slug, slug))

export const withoutSubtree = (list: List, slug: string): Category[] =>
  list.filter((category) => category.slug !== slug && !isUnder(category.slug, slug))

/** Returns the children of `parent` in display order. */
export const childrenOf = (list: List, parent: string | null): Category[] =>
  list.filter(({ slug }) => parentSlug(slug) === parent)

const depthOf = (slug: string) => slugParts(slug).length
export const lastPart = (slug: string): string => slugParts(slug).at(-1)!

/**
 * A place in the tree: among the children of `parent` (null: the top level), before that sibling, or last.
 */
export type TreePlace = { parent: string | null; before: string | null }

/**
 * Whether a category may be moved under `parent`: not under itself, and no category may get deeper than three
 * levels [9.1].
 */
export function canBeParent(list: List, slug: string, parent: string | null): boolean {
  if (parent === parentSlug(slug)) return true
  if (parent === slug || (parent !== null && isUnder(parent, slug))) return false
  const depth = parent === null ? 0 : depthOf(parent)
  const height = Math.max(...subtreeOf(list, slug).map((each) => depthOf(each.slug) - depthOf(slug) + 1))
  return depth + height <= CATEGORY_DEPTH
}

/**
 * Returns the list with a category and its descendants moved. Under another parent its slug begins with the
 * parent's slug [3.4], and gets a number if `isTaken` says that the slug is taken. Returns the list unchanged
 * if the move is not allowed.
 */
export function withMoved(
  list: List,
  slug: string,
  { parent, before }: TreePlace,
  isTaken: (slug: string) => boolean,
): Category[] {
  if (before === slug || !canBeParent(list, slug, parent)) return [...list]
  const moved = parent === parentSlug(slug) ? slug : freeSlug(joinSlug(parent, lastPart(slug)), isTaken)
  const subtree = subtreeOf(list, slug).map((category) => ({
    ...category,
    slug: moved + category.slug.slice(slug.length),
  }))
  const rest = withoutSubtree(list, slug)
  const index = before === null ? endOf(rest, parent) : rest.findIndex((each) => each.slug === before)
  return index < 0 ? [...list] : rest.toSpliced(index, 0, ...subtree)
}

/** Returns the index after the last descendant of `parent`, or after the parent itself if it has none. */
function endOf(list: List, parent: string | null): number {
  if (parent === null) return list.length
  return list.findLastIndex(({ slug }) => slug === parent || isUnder(slug, parent)) + 1
}

/** Returns the slug, or the first of `slug-2`, `slug-3` … that is free. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let free = slug
  for (let number = 2; isTaken(free); number += 1) free = `${slug}-${number}`
  return free
}

/**
 * Returns the place one step up or down among the category's siblings; null if it is already the first or
 * last.
 */
export function neighbourPlace(list: List, slug: string, step: -1 | 1): TreePlace | null {
  const parent = parentSlug(slug)
  const siblings = childrenOf(list, parent).map((each) => each.slug)
  const index = siblings.indexOf(slug)
  const next = index + step
  if (index < 0 || next < 0 || next >= siblings.length) return null
  return { parent, before: siblings[step < 0 ? next : next + 1] ?? null }
}
