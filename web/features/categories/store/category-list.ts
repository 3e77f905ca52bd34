import { type Category, type CategoryList, STORED_PROPERTIES } from '../../../../shared/uploads/categories.ts'

/** Parses a response of getCategories or saveCategories; every category gets a new id [3.6]. */
export function readCategoryList(json: string): CategoryList {
  const { tree, version, moved = {} } = JSON.parse(json) as CategoryList
  return { tree: tree.map((category) => ({ ...category, id: crypto.randomUUID() })), version, moved }
}

/** Whether two lists have the same categories in the same order. */
export const isSameList = (a: readonly Category[], b: readonly Category[]): boolean =>
  a.length === b.length && a.every((category, index) => isSameCategory(category, b[index]!))

export const isSameCategory = (a: Category, b: Category): boolean =>
  a.id === b.id && STORED_PROPERTIES.every((property) => a[property] === b[property])
