import { type Category, type CategoryPolicy, parentSlug } from '../../../../shared/uploads/categories.ts'
import { lastPart } from '../category-edits.ts'

type List = readonly Category[]

/** What can be changed of a category, each by itself. Its slug is two things: whom it stands under, and its own part. */
export type CategoryProperty =
  | 'name'
  | 'parent'
  | 'part'
  | 'icon'
  | 'color'
  | 'release'
  | Exclude<keyof CategoryPolicy, 'release' | 'releaseHours'>

/** A category by id, its parent by id as well: what is renamed or moved takes along what stands under it. */
export type Placed = { id: string; parent: string | null; part: string; category: Category }

export const CATEGORY_PROPERTIES: readonly CategoryProperty[] = [
  'name',
  'parent',
  'part',
  'icon',
  'color',
  'reviewRequired',
  'reviewers',
  'release',
  'visibleToPatients',
  'retentionYears',
]

export function propertyValue({ parent, part, category }: Placed, property: CategoryProperty): unknown {
  if (property === 'parent') return parent
  if (property === 'part') return part
  // The hours mean nothing without it.
  return property === 'release' ? `${category.release} ${category.releaseHours}` : category[property]
}

export function withProperty(placed: Placed, property: CategoryProperty, from: Placed): Placed {
  if (property === 'parent') return { ...placed, parent: from.parent }
  if (property === 'part') return { ...placed, part: from.part }
  const { release, releaseHours } = from.category
  const change = property === 'release' ? { release, releaseHours } : { [property]: from.category[property] }
  return { ...placed, category: { ...placed.category, ...change } }
}

export function placeAll(list: List): Map<string, Placed> {
  const ids = new Map(list.map(({ slug, id }) => [slug, id!]))
  return new Map(
    list.map((category) => {
      const { id, slug } = category
      const above = parentSlug(slug)
      const parent = above === null ? null : ids.get(above)
      // Where the parent is missing, the slug stays as it is.
      const place = parent === undefined ? { parent: null, part: slug } : { parent, part: lastPart(slug) }
      return [id!, { id: id!, category, ...place }]
    }),
  )
}

export const changedProperties = (from: Placed, to: Placed): CategoryProperty[] =>
  CATEGORY_PROPERTIES.filter((property) => propertyValue(from, property) !== propertyValue(to, property))

/** Whether those that are in both stand in another order. */
export function isReordered(list: List, other: List): boolean {
  const common = (one: List, two: List) => {
    const ids = new Set(two.map(({ id }) => id))
    return one.filter(({ id }) => ids.has(id))
  }
  const there = common(other, list)
  return common(list, other).some(({ id }, place) => id !== there[place]?.id)
}

/** What makes a list another one than the list it came from; their ids belong together. */
export type Differences = {
  added: Category[]
  removed: Category[]
  changed: { category: Category; facets: CategoryProperty[] }[]
  isReordered: boolean
}

export function listDifferences(from: List, to: List): Differences {
  const [was, is] = [placeAll(from), placeAll(to)]
  return {
    added: to.filter(({ id }) => !was.has(id!)),
    removed: from.filter(({ id }) => !is.has(id!)),
    changed: [...is.values()].flatMap((placed) => {
      const former = was.get(placed.id)
      const facets = former ? changedProperties(former, placed) : []
      return facets.length > 0 ? [{ category: placed.category, facets }] : []
    }),
    isReordered: isReordered(to, from),
  }
}
