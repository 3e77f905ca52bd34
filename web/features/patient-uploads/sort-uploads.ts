import { dayInRomania } from '../../../shared/romania/day.ts'
import { SLUG_SEPARATOR } from '../../../shared/uploads/categories.ts'

type Dated = { category: { slug: string } | null; examinedOn: string | null; createdAt: string }

/** Returns the day by which a result is sorted: that of the examination, or that of filing if it is unknown. */
export const dateOf = ({ examinedOn, createdAt }: Dated): string =>
  examinedOn ?? dayInRomania(new Date(createdAt))

/** Sorts by day, then by time of filing; newest first. */
export const newestFirst = <U extends Dated>(uploads: readonly U[]): U[] =>
  uploads.toSorted((a, b) => dateOf(b).localeCompare(dateOf(a)) || b.createdAt.localeCompare(a.createdAt))

/** Returns the slug of the top-level category; null for an upload without one. */
export const rootOf = ({ category }: Dated): string | null => category?.slug.split(SLUG_SEPARATOR)[0] ?? null

/** Returns how many uploads each top-level category has, the largest first. */
export function countRoots(uploads: readonly Dated[]): { slug: string | null; count: number }[] {
  const groups = Map.groupBy(uploads, rootOf)
  return [...groups]
    .map(([slug, { length }]) => ({ slug, count: length }))
    .toSorted((a, b) => b.count - a.count)
}
