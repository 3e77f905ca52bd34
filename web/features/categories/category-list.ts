import type { Category, CategoryList } from '../../../shared/uploads/categories.ts'

/** Reads an answer of getCategories or saveCategories; every category gets a fresh id [3.6]. */
export function readCategoryList(json: string): CategoryList {
  const { tree, version, moved = {} } = JSON.parse(json) as CategoryList
  return { tree: tree.map((category) => ({ ...category, id: crypto.randomUUID() })), version, moved }
}

/** Whether the two hold the same categories in the same order. */
export const isSameList = (one: readonly Category[], other: readonly Category[]): boolean =>
  one.length === other.length && one.every((category, place) => isSameCategory(category, other[place]!))

/** All that a category has, the id first. */
const COMPARED_PROPERTIES = [
  'id',
  'name',
  'slug',
  'icon',
  'color',
  'reviewRequired',
  'reviewers',
  'release',
  'releaseHours',
  'visibleToPatients',
  'retentionYears',
] as const satisfies readonly (keyof Category)[]

export const isSameCategory = (one: Category, other: Category): boolean =>
  COMPARED_PROPERTIES.every((part) => one[part] === other[part])
