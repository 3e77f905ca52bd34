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
 * Gives the categories of a reloaded list the ids that they have on this page: by slug, by the new slug of a
 * moved category, and by the slug of a category that both sides have added.
 */
export function reconcileIds(base: List, mine: List, theirs: List, moved: SlugMoves): Category[] {
  const theirSlugs = new Set(theirs.map(({ slug }) => slug))
  const idBySlug = new Map<string, string>()
  const used = new Set<string>()
  const assign = (slug: string, id: string) => {
    if (idBySlug.has(slug) || used.has(id)) return
    idBySlug.set(slug, id)
    used.add(id)
  }
  for (const { slug, id } of base) if (theirSlugs.has(slug)) assign(slug, id!)
  const baseSlugs = new Set(base.map(({ slug }) => slug))
  for (const { slug, id } of base) {
    const now = moved[slug]
    // A category that was merged into an existing category no longer exists.
    if (now && theirSlugs.has(now) && !theirSlugs.has(slug) && !baseSlugs.has(now)) assign(now, id!)
  }
  const baseIds = new Set(base.map(({ id }) => id))
  for (const { slug, id } of mine) if (!baseIds.has(id) && theirSlugs.has(slug)) assign(slug, id!)
  return theirs.map((category) => ({ ...category, id: idBySlug.get(category.slug) ?? category.id }))
}

export type Choice = 'mine' | 'theirs'

/**
 * A category with changes of both sides that exclude each other. `id` is `order` for the order of the whole
 * list.
 */
export type MergeConflict = {
  id: string
  /** The category in each list; null if the list does not have it. */
  base: Category | null
  mine: Category | null
  theirs: Category | null
  /** The properties that both have changed differently; empty if one of them has removed the category. */
  properties: readonly CategoryProperty[]
}

export const ORDER = 'order'

export type Merge = {
  list: Category[]
  conflicts: MergeConflict[]
  /** Categories that one side removed, kept because the other has put something under them. */
  keptParents: Category[]
  /** Categories that the two sides have moved under each other: they keep the places of the saved list. */
  untied: Category[]
  /** Categories that got a number because their slug was taken. */
  renumbered: Category[]
}

/**
 * Merges three lists with common ids: loaded (`base`), edited here (`mine`), saved meanwhile by another user
 * (`theirs`). A change of only one side applies. For different changes of the same property, `choices` by
 * conflict id decides; by default `mine` applies.
 */
export function mergeCategories(
  base: List,
  mine: List,
  theirs: List,
  choices: ReadonlyMap<string, Choice> = new Map(),
): Merge {
  const [baseById, mineById, theirsById] = [placeAll(base), placeAll(mine), placeAll(theirs)]
  const conflicts: MergeConflict[] = []
  const merged = new Map<string, Placed>()
  const resolve = (id: string, properties: readonly CategoryProperty[]): Choice => {
    const of = (side: Map<string, Placed>) => side.get(id)?.category ?? null
    conflicts.push({ id, base: of(baseById), mine: of(mineById), theirs: of(theirsById), properties })
    return choices.get(id) ?? 'mine'
  }
  for (const id of new Set([...theirsById.keys(), ...mineById.keys()])) {
    const placed = mergeOne(baseById.get(id), mineById.get(id), theirsById.get(id), (properties) =>
      resolve(id, properties),
    )
    if (placed) merged.set(id, placed)
  }
  const keptParents = keepParents(merged, mineById, theirsById)
  const untied = breakCycles(merged, theirsById)
  const { order, isOrderConflict } = mergeOrder(base, mine, theirs, choices.get(ORDER) ?? 'mine')
  if (isOrderConflict) conflicts.push({ id: ORDER, base: null, mine: null, theirs: null, properties: [] })
  const { list, renumbered } = writeSlugs(merged, order, theirsById)
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
  resolve: (properties: readonly CategoryProperty[]) => Choice,
): Placed | undefined {
  if (!mine || !theirs) {
    const remaining = mine ?? theirs
    // Added by one side only.
    if (!base || !remaining) return remaining
    if (changedProperties(base, remaining).length === 0) return undefined
    return resolve([]) === 'mine' ? mine : theirs
  }
  const [from, to] = base
    ? [changedProperties(base, mine), changedProperties(base, theirs)]
    : [CATEGORY_PROPERTIES, changedProperties(mine, theirs)]
  const both = from.filter(
    (property) => to.includes(property) && propertyValue(mine, property) !== propertyValue(theirs, property),
  )
  const choice = both.length > 0 ? resolve(both) : 'mine'
  const mineCounts = from.filter((property) => !both.includes(property) || choice === 'mine')
  return mineCounts.reduce((placed, property) => withProperty(placed, property, mine), theirs)
}

/**
 * Restores removed parents that still have children, as the side that kept them has them. Returns their ids.
 */
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

/**
 * Resolves cycles (one side has moved A under B, the other B under A): the categories of a cycle get their
 * places of `theirs`. Returns their ids.
 */
function breakCycles(merged: Map<string, Placed>, theirs: ReadonlyMap<string, Placed>): Set<string> {
  const untied = new Set<string>()
  for (let cycle = findCycle(merged); cycle.length > 0; cycle = findCycle(merged)) {
    for (const id of cycle) {
      const parent = untied.has(id) ? null : (theirs.get(id)?.parent ?? null)
      merged.set(id, { ...merged.get(id)!, parent: parent !== null && merged.has(parent) ? parent : null })
      untied.add(id)
    }
  }
  return untied
}

/** Returns the ids of a cycle of parents; empty if there is none. */
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

/**
 * Returns the order of the side that has changed it; categories of the other side follow the category that
 * they follow there.
 */
function mergeOrder(base: List, mine: List, theirs: List, choice: Choice) {
  const ids = (list: List) => list.map(({ id }) => id!)
  const [byMe, byThem] = [isReordered(mine, base), isReordered(theirs, base)]
  const isOrderConflict = byMe && byThem && isReordered(mine, theirs)
  const isMine = isOrderConflict ? choice === 'mine' : byMe
  const [first, second] = isMine ? [ids(mine), ids(theirs)] : [ids(theirs), ids(mine)]
  const order = [...first]
  const have = new Set(first)
  for (const [index, id] of second.entries()) {
    if (have.has(id)) continue
    const before = second[index - 1]
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, id)
    have.add(id)
  }
  return { order, isOrderConflict }
}

/** Builds the slugs from the parents. Of two equal slugs, the category that has it saved keeps it. */
function writeSlugs(
  merged: ReadonlyMap<string, Placed>,
  order: readonly string[],
  saved: ReadonlyMap<string, Placed>,
): { list: Category[]; renumbered: Category[] } {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  const renumbered = new Set<string>()
  const slugOf = (id: string): string => {
    const existing = slugs.get(id)
    if (existing) return existing
    const { parent, part } = merged.get(id)!
    const preferred = joinSlug(parent === null ? null : slugOf(parent), part)
    const slug = freeSlug(preferred, (each) => taken.has(each))
    if (slug !== preferred) renumbered.add(id)
    slugs.set(id, slug)
    taken.add(slug)
    return slug
  }
  const preferredSlug = (id: string): string => {
    const { parent, part } = merged.get(id)!
    return joinSlug(parent === null ? null : preferredSlug(parent), part)
  }
  for (const id of merged.keys()) if (saved.get(id)?.category.slug === preferredSlug(id)) slugOf(id)
  const list = order.flatMap((id) => {
    const placed = merged.get(id)
    return placed ? [{ ...placed.category, id, slug: slugOf(id) }] : []
  })
  return { list, renumbered: list.filter(({ id }) => renumbered.has(id)) }
}
