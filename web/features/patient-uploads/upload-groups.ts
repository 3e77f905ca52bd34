import { SLUG_SEPARATOR } from '../../../shared/uploads/categories.ts'

/** Uploads under one category of the first level, newest first; null: those without a category. */
export type UploadGroup<U> = { slug: string | null; uploads: U[] }

type Dated = { category: { slug: string } | null; examinedOn: string | null; createdAt: string }

const dateOf = ({ examinedOn, createdAt }: Dated): string => examinedOn ?? createdAt.slice(0, 10)

/** By day of examination (of filing, where it is not known), then by time of filing; newest first. */
const newestFirst = (one: Dated, other: Dated): number =>
  dateOf(other).localeCompare(dateOf(one)) || other.createdAt.localeCompare(one.createdAt)

const rootOf = ({ category }: Dated): string | null => category?.slug.split(SLUG_SEPARATOR)[0] ?? null

/** Puts a patient's uploads under the categories of the first level; the one that was last filed into comes first. */
export function groupUploads<U extends Dated>(uploads: readonly U[]): UploadGroup<U>[] {
  const byFiling = [...uploads].sort((one, other) => other.createdAt.localeCompare(one.createdAt))
  const groups = Map.groupBy(byFiling, rootOf)
  return [...groups].map(([slug, members]) => ({ slug, uploads: members.sort(newestFirst) }))
}
