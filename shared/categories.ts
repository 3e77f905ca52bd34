/** Category slugs carry the tree: `a`, `a::b`, `a::b::c` [3.4], of which three levels are shown [3.5][9.1]. */
export const SLUG_SEPARATOR = '::'
export const CATEGORY_DEPTH = 3

/** The parts of a slug as the product writes them: they stand in addresses and before `::%` in searches. */
export const SLUG_PATTERN = /^[a-z0-9-]+(?:::[a-z0-9-]+)*$/

/** What a category may wear [3.7], and some more for a diagnostics centre. */
export const CATEGORY_ICONS = [
  'stethoscope',
  'calendar',
  'folders',
  'users',
  'hospital',
  'hand-holding-medical',
  'documents',
  'pdf',
  'zip',
  'upload',
  'download',
  'lock',
  'filter',
  'sun',
  'moon',
  'snowflake',
  'leaf',
  'flower',
  'umbrella-beach',
  'envelope',
  'paper-plane',
  'timer',
  'check',
  'warning',
  'microscope',
  'test-tubes',
  'droplet',
  'heart',
  'brain',
  'bone',
  'activity',
] as const
export type CategoryIconName = (typeof CATEGORY_ICONS)[number]

/** A category as it travels in the JSON strings of getCategories and saveCategories [3.4]. */
export type Category = { id: string | null; name: string; slug: string; icon: string; color: string }
/** Without the id, which tells categories apart on one page only [3.6]. */
export type CategoryFacts = Omit<Category, 'id'>
export type CategoryNode = Category & { children: CategoryNode[] }

/**
 * The whole list, flat and in display order. `version` counts its savings: a client that sends it back cannot
 * overwrite what it has not seen.
 */
export type CategoryList = { tree: Category[]; version: number }

/** The slug one level up; null for a top-level one. */
export function parentSlug(slug: string): string | null {
  const cut = slug.lastIndexOf(SLUG_SEPARATOR)
  return cut < 0 ? null : slug.slice(0, cut)
}

/** What to call a category that is not in the list (any more): `imagistica::ct-torace` is `Ct torace`. */
export function nameFromSlug(slug: string): string {
  const [first = '', ...rest] = (slug.split(SLUG_SEPARATOR).at(-1) ?? '').replaceAll('-', ' ').trim()
  return first.toLocaleUpperCase('ro') + rest.join('')
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
