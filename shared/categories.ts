/** Category slugs carry the tree: `a`, `a::b`, `a::b::c` [3.4], three levels at most [3.5][9.1]. */
export const SLUG_SEPARATOR = '::'
export const CATEGORY_DEPTH = 3

/** A category as it travels in the JSON string of getCategories [3.4]. */
export type Category = { id: string | null; name: string; slug: string; icon: string; color: string }
export type CategoryNode = Category & { children: CategoryNode[] }

/** The slug one level up; null for a top-level one. */
export function parentSlug(slug: string): string | null {
  const cut = slug.lastIndexOf(SLUG_SEPARATOR)
  return cut < 0 ? null : slug.slice(0, cut)
}

/** Nests a flat list by slug, in the list's order; deeper than three levels is left out of the tree [3.5]. */
export function categoryTree(flat: readonly Category[]): CategoryNode[] {
  const nodes = new Map(
    flat.map((category) => [category.slug, { ...category, children: [] as CategoryNode[] }]),
  )
  const roots: CategoryNode[] = []
  for (const node of nodes.values()) {
    if (node.slug.split(SLUG_SEPARATOR).length > CATEGORY_DEPTH) continue
    const parent = parentSlug(node.slug)
    const siblings = parent === null ? roots : nodes.get(parent)?.children
    siblings?.push(node)
  }
  return roots
}
