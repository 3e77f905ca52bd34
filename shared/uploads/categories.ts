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

/** When what was accepted goes to the institution, the earliest first. */
export const RELEASES = ['at_once', 'after_hours', 'by_hand'] as const
export type Release = (typeof RELEASES)[number]

export const POLICY_BOUNDS = {
  releaseHours: { min: 1, max: 720 },
  retentionYears: { min: 1, max: 100 },
} as const

/** How what is filed under a category is handled. */
export type CategoryPolicy = {
  /** Without it, what is filed for a patient is accepted as soon as its files are in order. */
  reviewRequired: boolean
  /** How many different people must accept it. */
  reviewers: 1 | 2
  release: Release
  /** Only with `after_hours`, else null. */
  releaseHours: number | null
  visibleToPatients: boolean
  /** null: kept for good, whatever the site's own term. */
  retentionYears: number | null
}

export const DEFAULT_POLICY: CategoryPolicy = {
  reviewRequired: true,
  reviewers: 1,
  release: 'at_once',
  releaseHours: null,
  visibleToPatients: true,
  retentionYears: null,
}

/** What the specification knows of a category, without the id, which tells categories apart on one page only [3.6]. */
export type CategoryFacts = { name: string; slug: string; icon: string; color: string }
export type StoredCategory = CategoryFacts & CategoryPolicy
/** A category as it travels in the JSON strings of getCategories and saveCategories [3.4]; id null: new and unsaved. */
export type Category = StoredCategory & { id: string | null }
export type CategoryNode<C extends { slug: string } = Category> = C & { children: CategoryNode<C>[] }

/** Where slugs that are in the list no more have gone: old → new. */
export type SlugMoves = Readonly<Record<string, string>>

/**
 * The whole list, flat and in display order. `version` counts its savings: a client that sends it back cannot
 * overwrite what it has not seen.
 */
export type CategoryList = { tree: Category[]; version: number; moved: SlugMoves }

/** The parts of a slug, the top level first. */
export const slugParts = (slug: string): string[] => slug.split(SLUG_SEPARATOR)

/** The slug of what stands under `parent` (null: on the top level) by its own part. */
export const joinSlug = (parent: string | null, part: string): string =>
  parent === null ? part : parent + SLUG_SEPARATOR + part

/** Whether a slug stands somewhere under another one. */
export const isUnder = (slug: string, ancestor: string): boolean => slug.startsWith(ancestor + SLUG_SEPARATOR)

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
export function categoryTree<C extends { slug: string }>(flat: readonly C[]): CategoryNode<C>[] {
  const nodes = new Map(
    flat.map((category) => [category.slug, { ...category, children: [] as CategoryNode<C>[] }]),
  )
  const roots: CategoryNode<C>[] = []
  for (const node of nodes.values()) {
    if (slugParts(node.slug).length > CATEGORY_DEPTH) continue
    const parent = parentSlug(node.slug)
    const siblings = parent === null ? roots : nodes.get(parent)?.children
    siblings?.push(node)
  }
  return roots
}
