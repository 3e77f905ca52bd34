import { type Category, joinSlug, type SlugMoves } from '../../../../shared/uploads/categories.ts'
import { freeSlug } from '../category-edits.ts'
import {
  CATEGORY_PROPERTIES,
  type CategoryProperty,
  changedProperties,
  isReordered,
  type Placed,
  placeAll,
  propertyValue,
  withProperty,
} from './category-properties.ts'

type List = readonly Category[]

/**
 * Gives the categories of a list that was read anew the ids that they have on this page: by slug, by where their slug has
 * gone, and for what both have added by its slug again.
 */
export function reconcileIds(base: List, mine: List, theirs: List, moved: SlugMoves): Category[] {
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
export type MergeConflict = {
  id: string
  /** null: was not there, or is removed. */
  base: Category | null
  mine: Category | null
  theirs: Category | null
  /** What both have changed differently; empty where one of them has removed it. */
  properties: readonly CategoryProperty[]
}

export const ORDER = 'order'

export type Merge = {
  list: Category[]
  conflicts: MergeConflict[]
  /** Removed by one, kept because the other has put something under it. */
  keptParents: Category[]
  /** The two have put them under each other: they stand where the other one has them. */
  untied: Category[]
  /** Of two that came to the same slug, the one that got a number. */
  renumbered: Category[]
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
  const conflicts: MergeConflict[] = []
  const merged = new Map<string, Placed>()
  const collide = (id: string, properties: readonly CategoryProperty[]): Choice => {
    const of = (side: Map<string, Placed>) => side.get(id)?.category ?? null
    conflicts.push({ id, base: of(was), mine: of(here), theirs: of(there), properties })
    return choices.get(id) ?? 'mine'
  }
  for (const id of new Set([...there.keys(), ...here.keys()])) {
    const placed = mergeOne(was.get(id), here.get(id), there.get(id), (properties) => collide(id, properties))
    if (placed) merged.set(id, placed)
  }
  const keptParents = keepParents(merged, here, there)
  const untied = breakCycles(merged, there)
  const { order, isCollision: isOrderConflict } = mergeOrder(base, mine, theirs, choices.get(ORDER) ?? 'mine')
  if (isOrderConflict) conflicts.push({ id: ORDER, base: null, mine: null, theirs: null, properties: [] })
  const { list, renumbered } = writeSlugs(merged, order, there)
  return {
    list,
    conflicts,
    keptParents: list.filter(({ id }) => keptParents.has(id!)),
    untied: list.filter(({ id }) => untied.has(id!)),
    renumbered,
  }
}

function mergeOne(
  base: Placed | undefined,
  mine: Placed | undefined,
  theirs: Placed | undefined,
  collide: (properties: readonly CategoryProperty[]) => Choice,
): Placed | undefined {
  if (!mine || !theirs) {
    const left = mine ?? theirs
    // Added by one side.
    if (!base || !left) return left
    if (changedProperties(base, left).length === 0) return undefined
    return collide([]) === 'mine' ? mine : theirs
  }
  const [from, to] = base
    ? [changedProperties(base, mine), changedProperties(base, theirs)]
    : [CATEGORY_PROPERTIES, changedProperties(mine, theirs)]
  const both = from.filter(
    (property) => to.includes(property) && propertyValue(mine, property) !== propertyValue(theirs, property),
  )
  const choice = both.length > 0 ? collide(both) : 'mine'
  const mineCounts = from.filter((property) => !both.includes(property) || choice === 'mine')
  return mineCounts.reduce((placed, property) => withProperty(placed, property, mine), theirs)
}

/** Nothing comes to stand under what is gone: such a parent stays, as whoever has it has it. */
function keepParents(merged: Map<string, Placed>, ...sides: Map<string, Placed>[]): Set<string> {
  const kept = new Set<string>()
  const waiting = [...merged.values()]
  for (let placed = waiting.pop(); placed; placed = waiting.pop()) {
    const { parent } = placed
    if (parent === null || merged.has(parent)) continue
    const found = sides.flatMap((side) => side.get(parent) ?? [])[0]
    if (!found) continue
    merged.set(parent, found)
    kept.add(parent)
    waiting.push(found)
  }
  return kept
}

/** One has put A under B, the other B under A: those in the circle stand where the other has them. Answers them. */
function breakCycles(merged: Map<string, Placed>, theirs: ReadonlyMap<string, Placed>): Set<string> {
  const untied = new Set<string>()
  for (let circle = findCycle(merged); circle.length > 0; circle = findCycle(merged)) {
    for (const id of circle) {
      const parent = untied.has(id) ? null : (theirs.get(id)?.parent ?? null)
      merged.set(id, { ...merged.get(id)!, parent: parent !== null && merged.has(parent) ? parent : null })
      untied.add(id)
    }
  }
  return untied
}

/** The ids of some that stand under themselves; none where the tree is one. */
function findCycle(merged: ReadonlyMap<string, Placed>): string[] {
  for (const start of merged.keys()) {
    const path: string[] = []
    let id: string | null = start
    while (id !== null && !path.includes(id)) {
      path.push(id)
      id = merged.get(id)?.parent ?? null
    }
    if (id !== null) return path.slice(path.indexOf(id))
  }
  return []
}

/** The order of the one who has changed it, with what the other has added after what it followed there. */
function mergeOrder(base: List, mine: List, theirs: List, choice: Choice) {
  const ids = (list: List) => list.map(({ id }) => id!)
  const [byMe, byThem] = [isReordered(mine, base), isReordered(theirs, base)]
  const isOrderConflict = byMe && byThem && isReordered(mine, theirs)
  const isMine = isOrderConflict ? choice === 'mine' : byMe
  const [first, second] = isMine ? [ids(mine), ids(theirs)] : [ids(theirs), ids(mine)]
  const order = [...first]
  const have = new Set(first)
  for (const [place, id] of second.entries()) {
    if (have.has(id)) continue
    const before = second[place - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
    have.add(id)
  }
  return { order, isCollision: isOrderConflict }
}

/** Writes the slugs from who stands under whom. Where two come to the same, the one that has it saved keeps it. */
function writeSlugs(
  merged: ReadonlyMap<string, Placed>,
  order: readonly string[],
  saved: ReadonlyMap<string, Placed>,
): { list: Category[]; renumbered: Category[] } {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  const renumbered = new Set<string>()
  const slugOf = (id: string): string => {
    const known = slugs.get(id)
    if (known) return known
    const { parent, part } = merged.get(id)!
    const wanted = joinSlug(parent === null ? null : slugOf(parent), part)
    const slug = freeSlug(wanted, (each) => taken.has(each))
    if (slug !== wanted) renumbered.add(id)
    slugs.set(id, slug)
    taken.add(slug)
    return slug
  }
  const wish = (id: string): string => {
    const { parent, part } = merged.get(id)!
    return joinSlug(parent === null ? null : wish(parent), part)
  }
  for (const id of merged.keys()) if (saved.get(id)?.category.slug === wish(id)) slugOf(id)
  const list = order.flatMap((id) => {
    const placed = merged.get(id)
    return placed ? [{ ...placed.category, id, slug: slugOf(id) }] : []
  })
  return { list, renumbered: list.filter(({ id }) => renumbered.has(id)) }
}
