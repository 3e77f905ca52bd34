import { counted } from '../../../shared/romania/romanian.ts'
import type { SlugMoves, StoredCategory } from '../../../shared/uploads/categories.ts'
import { listPolicyLabels } from '../../../shared/uploads/category-policy.ts'

const describe = (category: StoredCategory): string =>
  [category.name, category.icon, category.color, ...listPolicyLabels(category)].filter(Boolean).join(' · ')

/**
 * Returns the changes for the audit log: added, removed and changed categories by slug; the part of the order
 * that changed, among the categories that stay; and where uploads were moved to, with their number.
 */
export function listCategoryChanges(
  before: readonly StoredCategory[],
  after: readonly StoredCategory[],
  { moves, counts }: { moves: SlugMoves; counts: ReadonlyMap<string, number> },
) {
  const was = new Map(before.map((category) => [category.slug, describe(category)]))
  const is = new Map(after.map((category) => [category.slug, describe(category)]))
  const changes = new Map<string, { from: string | null; to: string | null }>()
  for (const slug of new Set([...was.keys(), ...is.keys()])) {
    const [from = null, to = null] = [was.get(slug), is.get(slug)]
    if (from !== to) changes.set(`category:${slug}`, { from, to })
  }
  for (const [from, to] of Object.entries(moves)) {
    const count = counted(counts.get(from) ?? 0, 'încărcare', 'încărcări')
    changes.set(`uploads:${from}`, { from, to: `${to} (${count})` })
  }
  const stayedFrom = [...was.keys()].filter((slug) => is.has(slug))
  const stayedTo = [...is.keys()].filter((slug) => was.has(slug))
  const moved = stayedFrom.map((slug, index) => slug !== stayedTo[index])
  if (moved.includes(true)) {
    const changedPart = (slugs: string[]) =>
      slugs.slice(moved.indexOf(true), moved.lastIndexOf(true) + 1).join(', ')
    changes.set('order', { from: changedPart(stayedFrom), to: changedPart(stayedTo) })
  }
  return Object.fromEntries(changes)
}
