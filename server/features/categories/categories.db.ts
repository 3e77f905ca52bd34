import { type Insertable, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  type CategoryList,
  type SlugMoves,
  STORED_PROPERTIES,
  type StoredCategory,
} from '../../../shared/uploads/categories.ts'
import type { Db } from '../../platform/database/database.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { newId } from '../../platform/ids.ts'

export type CategoryRow = StoredCategory & { id: string }

/** The stored properties of a category with their columns: `reviewRequired` is in `review_required`. */
const COLUMNS = STORED_PROPERTIES.map((property) => ({
  property,
  column: property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
}))

const categories = (db: Db) =>
  db
    .selectFrom('category')
    .select(['id', ...COLUMNS.map(({ property, column }) => sql.ref(column).as(property))])
    .$castTo<CategoryRow>()
    .orderBy('position')

export const selectCategories = (db: Db) => categories(db).execute()

/** Returns the list, its version and the redirects of former slugs, in one statement, so that they match. */
export const selectCategoryList = (db: Db): Promise<CategoryList> =>
  db
    .selectFrom('category_list')
    .select([
      'version',
      jsonArrayFrom(categories(db)).as('tree'),
      sql<SlugMoves>`(select coalesce(jsonb_object_agg(old_slug, new_slug), '{}') from category_slug_change)`.as(
        'moved',
      ),
    ])
    .executeTakeFirstOrThrow()

/** Locks the list against other saves until the transaction ends; reads are not blocked. */
export const lockCategoryList = (db: Db) =>
  db.selectFrom('category_list').select('version').forUpdate().execute()

/** Locks the list against saves until the transaction ends; several transactions may share this lock. */
export const lockCategoryListForShare = (db: Db) =>
  db.selectFrom('category_list').select('version').forShare().execute()

export const selectLastSaving = (db: Db) =>
  db
    .selectFrom('category_list')
    .innerJoin('app_user', 'app_user.id', 'category_list.saved_by')
    .select(['app_user.name', 'category_list.saved_at'])
    .executeTakeFirst()

/** Replaces the list of categories. A slug that stays keeps its row. */
export async function replaceCategoryList(
  db: Db,
  tree: readonly StoredCategory[],
  savedBy: string,
  now: Date,
): Promise<void> {
  const slugs = tree.map(({ slug }) => slug)
  await db.deleteFrom('category').where('slug', '<>', sql<string>`all(${slugs}::text[])`).execute()
  if (tree.length > 0) {
    await db
      .insertInto('category')
      .values(tree.map(toRow))
      .onConflict((on) =>
        on
          .column('slug')
          .doUpdateSet(
            Object.fromEntries(
              ['position', ...COLUMNS.map(({ column }) => column)].map((column) => [
                column,
                sql.ref(`excluded.${column}`),
              ]),
            ),
          ),
      )
      .execute()
  }
  await db
    .updateTable('category_list')
    .set(({ eb }) => ({ version: eb('version', '+', 1), saved_by: savedBy, saved_at: now }))
    .execute()
}

const toRow = (category: StoredCategory, position: number) =>
  ({
    id: newId(),
    position,
    ...Object.fromEntries(COLUMNS.map(({ property, column }) => [column, category[property]])),
  }) as Insertable<DB['category']>
