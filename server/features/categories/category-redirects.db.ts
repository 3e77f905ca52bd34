import { sql } from 'kysely'
import type { SlugMoves } from '../../../shared/uploads/categories.ts'
import type { Db } from '../../platform/database/database.ts'

/**
 * Moves the uploads of each old slug to its new one, those in the bin too, and returns their number by old
 * slug. The uploads' version stays, so that an open form can still be saved: its old slug is resolved
 * (`resolveCategorySlug`).
 */
export async function moveUploads(db: Db, moves: SlugMoves): Promise<Map<string, number>> {
  const { rows } = await sql<{ old_slug: string; count: number }>`
    with move as (
      select * from unnest(${Object.keys(moves)}::text[], ${Object.values(moves)}::text[]) as move (old_slug, new_slug)
    ), moved as (
      update upload set category_slug = move.new_slug from move
      where upload.category_slug = move.old_slug collate "C" returning move.old_slug
    )
    select old_slug, count(*)::int as count from moved group by old_slug`.execute(db)
  return new Map(rows.map(({ old_slug, count }) => [old_slug, count]))
}

/**
 * Saves where slugs were moved to. Earlier redirects to a moved slug are updated to its new slug, and
 * redirects from slugs that are in the list (again) are deleted.
 */
export async function saveRedirects(
  db: Db,
  moves: SlugMoves,
  { slugs, changedBy, now }: { slugs: readonly string[]; changedBy: string; now: Date },
): Promise<void> {
  await db
    .deleteFrom('category_slug_change')
    .where('old_slug', '=', sql<string>`any(${slugs}::text[])`)
    .execute()
  const values = Object.entries(moves).map(([old_slug, new_slug]) => ({
    old_slug,
    new_slug,
    changed_by: changedBy,
    changed_at: now,
  }))
  if (values.length === 0) return
  await sql`
    update category_slug_change change set new_slug = move.new_slug
    from unnest(${Object.keys(moves)}::text[], ${Object.values(moves)}::text[]) as move (old_slug, new_slug)
    where change.new_slug = move.old_slug collate "C"`.execute(db)
  await db
    .insertInto('category_slug_change')
    .values(values)
    .onConflict((on) =>
      on.column('old_slug').doUpdateSet(({ ref }) => ({
        new_slug: ref('excluded.new_slug'),
        changed_by: ref('excluded.changed_by'),
        changed_at: ref('excluded.changed_at'),
      })),
    )
    .execute()
}

/** Returns the slug that a former slug was moved to; undefined if it was not moved. */
export const selectRedirect = async (db: Db, slug: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('category_slug_change')
      .select('new_slug')
      .where('old_slug', '=', slug)
      .executeTakeFirst()
  )?.new_slug

/** Counts the uploads of each slug, in the list or not, by an index-only scan. */
export const countUploadsBySlug = (db: Db) =>
  db
    .selectFrom('upload')
    .select((eb) => [eb.ref('category_slug').$notNull().as('slug'), eb.fn.countAll<number>().as('count')])
    .where('category_slug', 'is not', null)
    .groupBy('category_slug')
    .orderBy('category_slug')
    .execute()
