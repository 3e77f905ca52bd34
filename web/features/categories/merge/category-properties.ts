import { type Category, parentSlug } from '../../../../shared/uploads/categories.ts'
import { POLICY_PROPERTIES, type PolicyProperty } from '../../../../shared/uploads/category-policy.ts'
import { lastPart } from '../category-edits.ts'

type List = readonly Category[]

/**
 * The properties of a category that change independently. The slug counts as two: the parent, and the last
 * part.
 */
export type CategoryProperty =
  | 'name'
  | 'parent'
  | 'part'
  | 'icon'
  | 'color'
  // `releaseHours` has no meaning without `release`, so both are one value.
  | Exclude<PolicyProperty, 'releaseHours'>

/** A category with its parent by id, so that renaming or moving a category keeps its descendants. */
export type Placed = { id: string; parent: string | null; part: string; category: Category }

export const CATEGORY_PROPERTIES: readonly CategoryProperty[] = [
  'name',
  'parent',
  'part',
  'icon',
  'color',
  ...POLICY_PROPERTIES.filter((property) => property !== 'releaseHours'),
]

export function propertyValue({ parent, part, category }: Placed, property: CategoryProperty): unknown {
  if (property === 'parent') return parent
  if (property === 'part') return part
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
      // If the parent is missing, the slug stays as it is.
      const place = parent === undefined ? { parent: null, part: slug } : { parent, part: lastPart(slug) }
      return [id!, { id: id!, category, ...place }]
    }),
  )
}

export const changedProperties = (from: Placed, to: Placed): CategoryProperty[] =>
  CATEGORY_PROPERTIES.filter((property) => propertyValue(from, property) !== propertyValue(to, property))

/** Whether the categories that are in both lists have different orders. */
export function isReordered(list: List, other: List): boolean {
  const common = (a: List, b: List) => {
    const ids = new Set(b.map(({ id }) => id))
    return a.filter(({ id }) => ids.has(id))
  }
  const otherCommon = common(other, list)
  return common(list, other).some(({ id }, index) => id !== otherCommon[index]?.id)
}

/** The differences between two lists with common ids. */
export type Differences = {
  added: Category[]
  removed: Category[]
  changed: { category: Category; properties: CategoryProperty[] }[]
  isReordered: boolean
}

export function listDifferences(from: List, to: List): Differences {
  const [fromById, toById] = [placeAll(from), placeAll(to)]
  return {
    added: to.filter(({ id }) => !fromById.has(id!)),
    removed: from.filter(({ id }) => !toById.has(id!)),
    changed: [...toById.values()].flatMap((placed) => {
      const former = fromById.get(placed.id)
      const properties = former ? changedProperties(former, placed) : []
      return properties.length > 0 ? [{ category: placed.category, properties }] : []
    }),
    isReordered: isReordered(to, from),
  }
}
