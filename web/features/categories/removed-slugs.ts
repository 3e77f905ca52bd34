import type { Category, SlugMoves } from '../../../shared/uploads/categories.ts'

/**
 * A saved slug that is no longer in the list: its category has another slug now, or is removed (`now` is
 * null).
 */
export type RemovedSlug = { was: Category; now: Category | null }

export function listRemovedSlugs(snapshot: readonly Category[], list: readonly Category[]): RemovedSlug[] {
  const slugs = new Set(list.map(({ slug }) => slug))
  const now = new Map(list.map((category) => [category.id, category]))
  return snapshot.filter(({ slug }) => !slugs.has(slug)).map((was) => ({ was, now: now.get(was.id) ?? null }))
}

/**
 * Returns the new slug of the uploads of each removed slug: the present slug of their category, unless the
 * user has chosen another one. `chosenTargets` is by old slug; null in it keeps the old slug.
 */
export function planMoves(
  removedSlugs: readonly RemovedSlug[],
  chosenTargets: ReadonlyMap<string, string | null> = new Map(),
): SlugMoves {
  return Object.fromEntries(
    removedSlugs.flatMap(({ was, now }) => {
      const to = chosenTargets.has(was.slug) ? chosenTargets.get(was.slug) : now?.slug
      return to ? [[was.slug, to]] : []
    }),
  )
}
