import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { CategoryList, Release, SlugMoves, StoredCategory } from '../../../shared/uploads/categories.ts'
import type { Db } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'

const categories = (db: Db) =>
  db
    .selectFrom('category')
    .select([
      'id',
      'name',
      'slug',
      'icon',
      'color',
      'review_required as reviewRequired',
      sql<1 | 2>`reviewers`.as('reviewers'),
      sql<Release>`release`.as('release'),
      'release_hours as releaseHours',
      'visible_to_patients as visibleToPatients',
      'retention_years as retentionYears',
    ])
    .orderBy('position')

export const selectCategories = (db: Db) => categories(db).execute()

export type CategoryRow = Awaited<ReturnType<typeof selectCategories>>[number]

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
      .values(
        tree.map(({ name, slug, icon, color, reviewers, release, ...policy }, position) => ({
          id: newId(),
          position,
          name,
          slug,
          icon,
          color,
          reviewers,
          release,
          review_required: policy.reviewRequired,
          release_hours: policy.releaseHours,
          visible_to_patients: policy.visibleToPatients,
          retention_years: policy.retentionYears,
        })),
      )
      .onConflict((on) =>
        on.column('slug').doUpdateSet(({ ref }) => ({
          name: ref('excluded.name'),
          icon: ref('excluded.icon'),
          color: ref('excluded.color'),
          position: ref('excluded.position'),
          review_required: ref('excluded.review_required'),
          reviewers: ref('excluded.reviewers'),
          release: ref('excluded.release'),
          release_hours: ref('excluded.release_hours'),
          visible_to_patients: ref('excluded.visible_to_patients'),
          retention_years: ref('excluded.retention_years'),
        })),
      )
      .execute()
  }
  await db
    .updateTable('category_list')
    .set(({ eb }) => ({ version: eb('version', '+', 1), saved_by: savedBy, saved_at: now }))
    .execute()
}
