import type { Db } from '../../platform/database.ts'

export const selectCategories = (db: Db) =>
  db.selectFrom('category').select(['id', 'name', 'slug', 'icon', 'color']).orderBy('position').execute()
