import { type CategoryPolicy, POLICY_PROPERTIES } from './category-policy.ts'

/**
 * Category slugs contain the tree: `a`, `a::b`, `a::b::c` [3.4], of which three levels are shown [3.5][9.1].
 */
export const SLUG_SEPARATOR = '::'
export const CATEGORY_DEPTH = 3

/**
 * The only characters of a slug's parts, because slugs are used in addresses and in `like` patterns with
 * `::%`.
 */
export const SLUG_PATTERN = /^[a-z0-9-]+(?:::[a-z0-9-]+)*$/

/** The icons of a category [3.7], and some more for a diagnostics centre. */
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

/**
 * The properties of a category in the specification, without the id, which identifies it on one page only
 * [3.6].
 */
export type CategoryProperties = { name: string; slug: string; icon: string; color: string }
export type StoredCategory = CategoryProperties & CategoryPolicy
export const STORED_PROPERTIES: readonly (keyof StoredCategory)[] = [
  'name',
  'slug',
  'icon',
  'color',
  ...POLICY_PROPERTIES,
]
/** A category in the JSON strings of getCategories and saveCategories [3.4]; id null: new and unsaved. */
export type Category = StoredCategory & { id: string | null }
export type CategoryNode<C extends { slug: string } = Category> = C & { children: CategoryNode<C>[] }

/** The redirects of slugs that are no longer in the list: old → new. */
export type SlugMoves = Readonly<Record<string, string>>

/**
 * The whole list, flat and in display order. `version` counts the saves: a client that sends it back cannot
 * overwrite changes that it has not seen.
 */
export type CategoryList = { tree: Category[]; version: number; moved: SlugMoves }

/** Returns the parts of a slug, the top level first. */
export const slugParts = (slug: string): string[] => slug.split(SLUG_SEPARATOR)

/** Returns the slug of a category under `parent` (null: on the top level) with the given part. */
export const joinSlug = (parent: string | null, part: string): string =>
  parent === null ? part : parent + SLUG_SEPARATOR + part

/** Whether a slug is below another one, at any level. */
export const isUnder = (slug: string, ancestor: string): boolean => slug.startsWith(ancestor + SLUG_SEPARATOR)

/** Returns the slug one level up; null for a top-level slug. */
export function parentSlug(slug: string): string | null {
  const cut = slug.lastIndexOf(SLUG_SEPARATOR)
  return cut < 0 ? null : slug.slice(0, cut)
}

/**
 * Returns a name for a category that is not in the list (any more): `imagistica::ct-torace` becomes `Ct
 * torace`.
 */
export function nameFromSlug(slug: string): string {
  const [first = '', ...rest] = (slug.split(SLUG_SEPARATOR).at(-1) ?? '').replaceAll('-', ' ').trim()
  return first.toLocaleUpperCase('ro') + rest.join('')
}

/** Nests a flat list by slug, in the list's order; leaves out categories below the third level [3.5]. */
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
