import {
  type Category,
  type CategoryPolicy,
  joinSlug,
  parentSlug,
  type SlugMoves,
} from '../../../shared/categories.ts'
import { freeSlug, lastPart } from './category-edits.ts'

type List = readonly Category[]

/** What can be changed of a category, each by itself. Its slug is two things: whom it stands under, and its own part. */
export type Facet =
  | 'name'
  | 'parent'
  | 'part'
  | 'icon'
  | 'color'
  | 'release'
  | Exclude<keyof CategoryPolicy, 'release' | 'releaseHours'>

/** A category by id, its parent by id as well: what is renamed or moved takes along what stands under it. */
type Placed = { id: string; parent: string | null; part: string; category: Category }

const FACETS: readonly Facet[] = [
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

function valueOf({ parent, part, category }: Placed, facet: Facet): unknown {
  if (facet === 'parent') return parent
  if (facet === 'part') return part
  // The hours mean nothing without it.
  return facet === 'release' ? `${category.release} ${category.releaseHours}` : category[facet]
}

function withFacet(placed: Placed, facet: Facet, from: Placed): Placed {
  if (facet === 'parent') return { ...placed, parent: from.parent }
  if (facet === 'part') return { ...placed, part: from.part }
  const { release, releaseHours } = from.category
  const change = facet === 'release' ? { release, releaseHours } : { [facet]: from.category[facet] }
  return { ...placed, category: { ...placed.category, ...change } }
}

function placeAll(list: List): Map<string, Placed> {
  const ids = new Map(list.map(({ slug, id }) => [slug, id!]))
  return new Map(
    list.map((category) => {
      const { id, slug } = category
      const above = parentSlug(slug)
      const parent = above === null ? null : ids.get(above)
      // Where the parent is missing, the slug stays as it is.
      const place =
        parent === undefined ? { parent: null, part: slug } : { parent, part: lastPart(slug) }
      return [id!, { id: id!, category, ...place }]
    }),
  )
}

const changedFacets = (from: Placed, to: Placed): Facet[] =>
  FACETS.filter((facet) => valueOf(from, facet) !== valueOf(to, facet))

/**
 * Gives the categories of a list that was read anew the ids that they have on this page: by slug, by where their slug has
 * gone, and for what both have added by its slug again.
 */
export function adoptIds(base: List, mine: List, theirs: List, moved: SlugMoves): Category[] {
  const theirSlugs = new Set(theirs.map(({ slug }) => slug))
  const known = new Map<string, string>()
  const used = new Set<string>()
  const know = (slug: string, id: string) => {
    if (known.has(slug) || used.has(id)) return
    known.set(slug, id)
    used.add(id)
  }
  for (const { slug, id } of base) if (theirSlugs.has(slug)) know(slug, id!)
  const baseSlugs = new Set(base.map(({ slug }) => slug))
  for (const { slug, id } of base) {
    const now = moved[slug]
    // What was merged into one that was there before is gone.
    if (now && theirSlugs.has(now) && !theirSlugs.has(slug) && !baseSlugs.has(now)) know(now, id!)
  }
  const baseIds = new Set(base.map(({ id }) => id))
  for (const { slug, id } of mine) if (!baseIds.has(id) && theirSlugs.has(slug)) know(slug, id!)
  return theirs.map((category) => ({ ...category, id: known.get(category.slug) ?? category.id }))
}

export type Choice = 'mine' | 'theirs'

/** A category that both have touched in ways that do not go together. `id` is `order` for the order of the whole list. */
export type Collision = {
  id: string
  /** null: was not there, or is removed. */
  base: Category | null
  mine: Category | null
  theirs: Category | null
  /** What both have changed differently; empty where one of them has removed it. */
  facets: readonly Facet[]
}

export const ORDER = 'order'

export type Merge = {
  list: Category[]
  collisions: Collision[]
  /** Removed by one, kept because the other has put something under it. */
  keptParents: Category[]
}

/**
 * Merges three lists whose ids belong together: what was loaded, what was edited here, what somebody else has saved
 * meanwhile. Where only one side has changed something, that counts. Where both have changed the same differently, `choices`
 * says which counts, by the collision's id; `mine` where it does not say.
 */
export function mergeCategories(
  base: List,
  mine: List,
  theirs: List,
  choices: ReadonlyMap<string, Choice> = new Map(),
): Merge {
  const [was, here, there] = [placeAll(base), placeAll(mine), placeAll(theirs)]
  const collisions: Collision[] = []
  const merged = new Map<string, Placed>()
  const collide = (id: string, facets: readonly Facet[]): Choice => {
    const of = (side: Map<string, Placed>) => side.get(id)?.category ?? null
    collisions.push({ id, base: of(was), mine: of(here), theirs: of(there), facets })
    return choices.get(id) ?? 'mine'
  }
  for (const id of new Set([...there.keys(), ...here.keys()])) {
    const placed = mergeOne(was.get(id), here.get(id), there.get(id), (facets) => collide(id, facets))
    if (placed) merged.set(id, placed)
  }
  const keptParents = keepParents(merged, was, here, there)
  untieCircles(merged, there)
  const { order, isCollision } = mergeOrder(base, mine, theirs, choices.get(ORDER) ?? 'mine')
  if (isCollision) collisions.push({ id: ORDER, base: null, mine: null, theirs: null, facets: [] })
  return { list: writeSlugs(merged, order), collisions, keptParents }
}

function mergeOne(
  base: Placed | undefined,
  mine: Placed | undefined,
  theirs: Placed | undefined,
  collide: (facets: readonly Facet[]) => Choice,
): Placed | undefined {
  if (!mine || !theirs) {
    const left = mine ?? theirs
    // Added by one side.
    if (!base || !left) return left
    if (changedFacets(base, left).length === 0) return undefined
    return collide([]) === 'mine' ? mine : theirs
  }
  const [from, to] = base
    ? [changedFacets(base, mine), changedFacets(base, theirs)]
    : [FACETS, changedFacets(mine, theirs)]
  const both = from.filter((facet) => to.includes(facet) && valueOf(mine, facet) !== valueOf(theirs, facet))
  const choice = both.length > 0 ? collide(both) : 'mine'
  const mineCounts = from.filter((facet) => !both.includes(facet) || choice === 'mine')
  const start = base ?? theirs
  let placed: Placed = { ...theirs, category: { ...theirs.category } }
  if (start) for (const facet of mineCounts) placed = withFacet(placed, facet, mine)
  return placed
}

/** Nothing comes to stand under what is gone: such a parent stays, as whoever has it has it. */
function keepParents(merged: Map<string, Placed>, ...sides: Map<string, Placed>[]): Category[] {
  const kept: Category[] = []
  const waiting = [...merged.values()]
  for (let placed = waiting.pop(); placed; placed = waiting.pop()) {
    const { parent } = placed
    if (parent === null || merged.has(parent)) continue
    const found = sides.toReversed().flatMap((side) => side.get(parent) ?? [])[0]
    if (!found) continue
    merged.set(parent, found)
    kept.push(found.category)
    waiting.push(found)
  }
  return kept
}

/** One has put A under B, the other B under A: those in the circle stand where the other has them. */
function untieCircles(merged: Map<string, Placed>, theirs: ReadonlyMap<string, Placed>): void {
  for (const start of merged.keys()) {
    const path = new Set<string>()
    let id: string | null = start
    while (id !== null && !path.has(id)) {
      path.add(id)
      id = merged.get(id)?.parent ?? null
    }
    if (id === null) continue
    for (const each of path) {
      const [placed, other] = [merged.get(each)!, theirs.get(each)]
      merged.set(each, { ...placed, parent: other && merged.has(other.parent ?? '') ? other.parent : null })
    }
  }
}

/** The order of the one who has changed it, with what the other has added after what it followed there. */
function mergeOrder(base: List, mine: List, theirs: List, choice: Choice) {
  const ids = (list: List) => list.map(({ id }) => id!)
  const isReordered = (list: List, other: List) => {
    const [here, there] = [new Set(ids(list)), new Set(ids(other))]
    const [one, two] = [ids(other).filter((id) => here.has(id)), ids(list).filter((id) => there.has(id))]
    return one.some((id, place) => id !== two[place])
  }
  const [byMe, byThem] = [isReordered(mine, base), isReordered(theirs, base)]
  const isCollision = byMe && byThem && isReordered(mine, theirs)
  const isMine = isCollision ? choice === 'mine' : byMe
  const [first, second] = isMine ? [ids(mine), ids(theirs)] : [ids(theirs), ids(mine)]
  const order = [...first]
  const have = new Set(first)
  for (const [place, id] of second.entries()) {
    if (have.has(id)) continue
    const before = second[place - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
    have.add(id)
  }
  return { order, isCollision }
}

/** Writes the slugs from who stands under whom. Two different ones that come to the same get a number, mine first. */
function writeSlugs(merged: ReadonlyMap<string, Placed>, order: readonly string[]): Category[] {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  const slugOf = (id: string): string => {
    const known = slugs.get(id)
    if (known) return known
    const { parent, part } = merged.get(id)!
    const slug = freeSlug(joinSlug(parent === null ? null : slugOf(parent), part), (each) => taken.has(each))
    slugs.set(id, slug)
    taken.add(slug)
    return slug
  }
  const places = new Map(order.map((id, place) => [id, place]))
  return [...merged.values()]
    .sort((one, other) => (places.get(one.id) ?? order.length) - (places.get(other.id) ?? order.length))
    .map(({ id, category }) => ({ ...category, id, slug: slugOf(id) }))
}
