import { type Category, type CategoryList, STORED_PROPERTIES } from '../../../../shared/uploads/categories.ts'

/** A response: the JSON string, and what our server says about it in the `extensions`. */
export type CategoryResponse = {
  json: string
  details: Partial<Pick<CategoryList, 'version' | 'moved'>> | undefined
}

/** A list of a server; `version` null: the server counts no versions. */
export type LoadedList = Omit<CategoryList, 'version'> & { version: number | null }

/** Parses a response of getCategories or saveCategories; every category gets a new id [3.6]. */
export function readCategoryList({ json, details }: CategoryResponse): LoadedList {
  const { tree } = JSON.parse(json) as Pick<CategoryList, 'tree'>
  return {
    tree: tree.map((category) => ({ ...category, id: crypto.randomUUID() })),
    version: details?.version ?? null,
    moved: details?.moved ?? {},
  }
}

/** Whether two lists have the same categories in the same order. */
export const isSameList = (a: readonly Category[], b: readonly Category[]): boolean =>
  a.length === b.length && a.every((category, index) => isSameCategory(category, b[index]!))

export const isSameCategory = (a: Category, b: Category): boolean =>
  a.id === b.id && STORED_PROPERTIES.every((property) => a[property] === b[property])
