import type { Category, CategoryList } from '../../../shared/categories.ts'

/** Reads an answer of getCategories or saveCategories; every category gets a fresh id [3.6]. */
export function readCategoryList(json: string): CategoryList {
  const { tree, version } = JSON.parse(json) as CategoryList
  return { tree: tree.map((category) => ({ ...category, id: crypto.randomUUID() })), version }
}

/** Whether the two hold the same categories in the same order. */
export const isSameList = (one: readonly Category[], other: readonly Category[]): boolean =>
  one.length === other.length && one.every((category, place) => isSame(category, other[place]!))

const isSame = (one: Category, other: Category): boolean =>
  one.id === other.id &&
  one.name === other.name &&
  one.slug === other.slug &&
  one.icon === other.icon &&
  one.color === other.color
