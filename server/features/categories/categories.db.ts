import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CategoryFacts } from '../../../shared/categories.ts'
import type { Db } from '../../platform/database.ts'
import { newId } from '../../platform/ids.ts'

const categories = (db: Db) =>
  db.selectFrom('category').select(['id', 'name', 'slug', 'icon', 'color']).orderBy('position')

export const selectCategories = (db: Db) => categories(db).execute()

/** The list with its version: in one statement, so that the two belong together. */
export const selectCategoryList = (db: Db) =>
  db
    .selectFrom('category_list')
    .select(['version', jsonArrayFrom(categories(db)).as('tree')])
    .executeTakeFirstOrThrow()

/** Until the end of the transaction nobody else saves the list; reading goes on. */
export const lockCategoryList = (db: Db) =>
  db.selectFrom('category_list').select('version').forUpdate().execute()

export const selectLastSaving = (db: Db) =>
  db
    .selectFrom('category_list')
    .innerJoin('app_user', 'app_user.id', 'category_list.saved_by')
    .select(['app_user.name', 'category_list.saved_at'])
    .executeTakeFirst()

/** Puts this list in the place of the former one. A slug that stays keeps its row. */
export async function replaceCategoryList(
  db: Db,
  tree: readonly CategoryFacts[],
  savedBy: string,
  now: Date,
): Promise<void> {
  const slugs = tree.map(({ slug }) => slug)
  await db.deleteFrom('category').where('slug', '<>', sql<string>`all(${slugs}::text[])`).execute()
  if (tree.length > 0) {
    await db
      .insertInto('category')
      .values(tree.map((category, position) => ({ ...category, id: newId(), position })))
      .onConflict((on) =>
        on.column('slug').doUpdateSet(({ ref }) => ({
          name: ref('excluded.name'),
          icon: ref('excluded.icon'),
          color: ref('excluded.color'),
          position: ref('excluded.position'),
        })),
      )
      .execute()
  }
  await db
    .updateTable('category_list')
    .set(({ eb }) => ({ version: eb('version', '+', 1), saved_by: savedBy, saved_at: now }))
    .execute()
}
