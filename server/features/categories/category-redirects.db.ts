import { sql } from 'kysely'
import type { SlugMoves } from '../../../shared/uploads/categories.ts'
import type { Db } from '../../platform/database/database.ts'

/** Counts the uploads that have each of these slugs, those in the bin too. */
export async function countUploadsOf(db: Db, slugs: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ slug: string; count: number }>`
    select category_slug as slug, count(*)::int as count from upload
    where category_slug = any(${slugs}::text[]) group by category_slug`.execute(db)
  return new Map(rows.map(({ slug, count }) => [slug, count]))
}

/**
 * Moves at most `limit` of the uploads that still have an old slug, those in the bin too, and returns their number.
 * Uploads that another transaction has locked are left for later, so that neither waits for the other. The uploads'
 * version stays, so that an open form can still be saved: its old slug is resolved (`resolveCategorySlug`).
 */
export async function moveUploads(db: Db, oldSlug: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with batch as (
      select id from upload where category_slug = ${oldSlug} order by id limit ${limit} for update skip locked
    ), moved as (
      update upload set category_slug = change.new_slug from category_slug_change change
      where change.old_slug = ${oldSlug} and upload.id = any(array(select id from batch)) returning upload.id
    )
    update category_slug_change set moved_count = moved_count + (select count(*) from moved)
    where old_slug = ${oldSlug} returning (select count(*)::int from moved) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Ends a move if no upload has the old slug any more; returns whether it has ended. */
export const endMove = async (db: Db, oldSlug: string): Promise<boolean> =>
  (await db
    .updateTable('category_slug_change')
    .set({ moving: false })
    .where('old_slug', '=', oldSlug)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('upload').select('id').where('category_slug', '=', oldSlug))),
    )
    .returning('old_slug')
    .executeTakeFirst()) !== undefined

/** Returns the moves that have not ended. */
export const selectMoves = (db: Db) =>
  db
    .selectFrom('category_slug_change')
    .select(['old_slug', 'new_slug', 'upload_count', 'moved_count'])
    .where('moving', '=', true)
    .orderBy('old_slug')
    .execute()

/**
 * Saves where slugs were moved to; the uploads of those with a count have to move. Earlier redirects to a moved slug are
 * updated to its new slug, and redirects from slugs that are in the list (again) are deleted.
 */
export async function saveRedirects(
  db: Db,
  moves: SlugMoves,
  {
    slugs,
    counts,
    changedBy,
    now,
  }: { slugs: readonly string[]; counts: ReadonlyMap<string, number>; changedBy: string; now: Date },
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
    moving: counts.has(old_slug),
    upload_count: counts.get(old_slug) ?? 0,
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
        moving: ref('excluded.moving'),
        upload_count: ref('excluded.upload_count'),
        moved_count: 0,
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

/** Counts the uploads of each slug, in the list or not, by an index-only scan; those that still move count as moved. */
export const countUploadsBySlug = (db: Db) =>
  db
    .with('counted', (cte) =>
      cte
        .selectFrom('upload')
        .select((eb) => [eb.ref('category_slug').$notNull().as('slug'), eb.fn.countAll<number>().as('count')])
        .where('category_slug', 'is not', null)
        .groupBy('category_slug'),
    )
    .selectFrom('counted')
    .leftJoin('category_slug_change as move', (on) =>
      on.onRef('move.old_slug', '=', 'counted.slug').on('move.moving', '=', true),
    )
    .select((eb) => [
      eb.fn.coalesce('move.new_slug', 'counted.slug').as('slug'),
      sql<number>`sum(counted.count)::int`.as('count'),
    ])
    .groupBy((eb) => eb.fn.coalesce('move.new_slug', 'counted.slug'))
    .orderBy('slug')
    .execute()
