import type { Category, SlugMoves } from '../../../shared/categories.ts'

/** A saved slug that the list has no more: of a category that has another one now, or that is removed (`now` null). */
export type Departure = { was: Category; now: Category | null }

export function listDepartures(snapshot: readonly Category[], list: readonly Category[]): Departure[] {
  const slugs = new Set(list.map(({ slug }) => slug))
  const now = new Map(list.map((category) => [category.id, category]))
  return snapshot.filter(({ slug }) => !slugs.has(slug)).map((was) => ({ was, now: now.get(was.id) ?? null }))
}

/**
 * Where the uploads of the departures go: with their category, unless `answers` (by old slug) says another slug, or null:
 * they keep the old one.
 */
export function planMoves(
  departures: readonly Departure[],
  answers: ReadonlyMap<string, string | null> = new Map(),
): SlugMoves {
  return Object.fromEntries(
    departures.flatMap(({ was, now }) => {
      const to = answers.has(was.slug) ? answers.get(was.slug) : now?.slug
      return to ? [[was.slug, to]] : []
    }),
  )
}
