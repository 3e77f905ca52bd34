import { SLUG_SEPARATOR } from '../../../shared/uploads/categories.ts'

/** The uploads of one top-level category, newest first; `slug` is null for uploads without a category. */
export type UploadGroup<U> = { slug: string | null; uploads: U[] }

type Dated = { category: { slug: string } | null; examinedOn: string | null; createdAt: string }

const dateOf = ({ examinedOn, createdAt }: Dated): string => examinedOn ?? createdAt.slice(0, 10)

/** Compares by day of examination (by day of filing if unknown), then by time of filing; newest first. */
const newestFirst = (a: Dated, b: Dated): number =>
  dateOf(b).localeCompare(dateOf(a)) || b.createdAt.localeCompare(a.createdAt)

const rootOf = ({ category }: Dated): string | null => category?.slug.split(SLUG_SEPARATOR)[0] ?? null

/** Groups a patient's uploads by top-level category; the category last filed into comes first. */
export function groupUploads<U extends Dated>(uploads: readonly U[]): UploadGroup<U>[] {
  const byFiling = [...uploads].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  const groups = Map.groupBy(byFiling, rootOf)
  return [...groups].map(([slug, members]) => ({ slug, uploads: members.sort(newestFirst) }))
}
