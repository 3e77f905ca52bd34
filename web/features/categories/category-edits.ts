import {
  CATEGORY_DEPTH,
  type Category,
  DEFAULT_POLICY,
  isUnder,
  joinSlug,
  parentSlug,
  slugParts,
} from '../../../shared/uploads/categories.ts'

type List = readonly Category[]

/** A new category as it is offered to be filled in: under `parent`, or on the top level where that is null [4.9][9.1]. */
export const draftCategory = (parent: string | null): Category => ({
  ...DEFAULT_POLICY,
  id: null,
  name: 'New',
  slug: joinSlug(parent, 'new'),
  icon: '',
  color: '',
})

/**
 * The list with what was edited: added under `newId` where it has no id, else in the place of the one with its id [4.8].
 * What stands under it takes its new slug along, since the slug is the tree.
 */
export function withEdited(list: List, edited: Category, newId: string): Category[] {
  if (edited.id === null) return [...list, { ...edited, id: newId }]
  const former = list.find(({ id }) => id === edited.id)
  if (!former) return [...list]
  const replaced = list.map((category) => (category === former ? edited : category))
  return former.slug === edited.slug ? replaced : withPrefix(replaced, former.slug, edited.slug)
}

/** What stands under the slug `from` comes to stand under `to`. */
const withPrefix = (list: List, from: string, to: string): Category[] =>
  list.map((category) =>
    isUnder(category.slug, from) ? { ...category, slug: to + category.slug.slice(from.length) } : category,
  )

/** The category of that slug and all that stands under it, however deep. */
export const subtreeOf = (list: List, slug: string): Category[] =>
  list.filter((category) => category.slug === slug || isUnder(category.slug, slug))

export const withoutSubtree = (list: List, slug: string): Category[] =>
  list.filter((category) => category.slug !== slug && !isUnder(category.slug, slug))

/** Those directly under `parent`, in display order. */
export const childrenOf = (list: List, parent: string | null): Category[] =>
  list.filter(({ slug }) => parentSlug(slug) === parent)

const depthOf = (slug: string) => slugParts(slug).length
export const lastPart = (slug: string): string => slugParts(slug).at(-1)!

/** Where something is to stand: among the children of `parent` (null: the top level), before that sibling, or as the last. */
export type TreePlace = { parent: string | null; before: string | null }

/**
 * Whether a category may stand under `parent`: not under itself, and nothing that is in the tree now may get deeper than
 * three levels [9.1].
 */
export function canBeParent(list: List, slug: string, parent: string | null): boolean {
  if (parent === parentSlug(slug)) return true
  if (parent === slug || (parent !== null && isUnder(parent, slug))) return false
  const depth = parent === null ? 0 : depthOf(parent)
  const height = Math.max(...subtreeOf(list, slug).map((each) => depthOf(each.slug) - depthOf(slug) + 1))
  return depth + height <= CATEGORY_DEPTH
}

/**
 * The list with a category and all that stands under it moved there. Under another parent its slug begins with that one's
 * [3.4]; where `isTaken` says that it belongs to another one, it gets a number. The same list where it may not stand there.
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
  const place = before === null ? endOf(rest, parent) : rest.findIndex((each) => each.slug === before)
  return place < 0 ? [...list] : rest.toSpliced(place, 0, ...subtree)
}

/** The place after the last child of `parent` and what stands under it; after the parent itself where it has none. */
function endOf(list: List, parent: string | null): number {
  if (parent === null) return list.length
  return list.findLastIndex(({ slug }) => slug === parent || isUnder(slug, parent)) + 1
}

/** The slug, or the first of `slug-2`, `slug-3` … that nobody has. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  let free = slug
  for (let number = 2; isTaken(free); number += 1) free = `${slug}-${number}`
  return free
}

/** Where a category comes to stand one place further up or down among its siblings; null where it is the first or last. */
export function neighbourPlace(list: List, slug: string, step: -1 | 1): TreePlace | null {
  const parent = parentSlug(slug)
  const siblings = childrenOf(list, parent).map((each) => each.slug)
  const place = siblings.indexOf(slug)
  const next = place + step
  if (place < 0 || next < 0 || next >= siblings.length) return null
  return { parent, before: siblings[step < 0 ? next : next + 1] ?? null }
}
