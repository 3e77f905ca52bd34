import type { Category, SlugMoves } from '../../../shared/uploads/categories.ts'

/** A saved slug that the list has no more: of a category that has another one now, or that is removed (`now` null). */
export type RemovedSlug = { was: Category; now: Category | null }

export function listRemovedSlugs(snapshot: readonly Category[], list: readonly Category[]): RemovedSlug[] {
  const slugs = new Set(list.map(({ slug }) => slug))
  const now = new Map(list.map((category) => [category.id, category]))
  return snapshot.filter(({ slug }) => !slugs.has(slug)).map((was) => ({ was, now: now.get(was.id) ?? null }))
}

/**
 * Where the uploads of the departures go: with their category, unless `responses` (by old slug) says another slug, or null:
 * they keep the old one.
 */
export function planMoves(
  removedSlugs: readonly RemovedSlug[],
  responses: ReadonlyMap<string, string | null> = new Map(),
): SlugMoves {
  return Object.fromEntries(
    removedSlugs.flatMap(({ was, now }) => {
      const to = responses.has(was.slug) ? responses.get(was.slug) : now?.slug
      return to ? [[was.slug, to]] : []
    }),
  )
}
