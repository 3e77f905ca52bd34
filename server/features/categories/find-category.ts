import type { Ctx } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { type CategoryRow, lockCategoryListForShare, selectCategories } from './categories.db.ts'
import { selectRedirect } from './category-redirects.db.ts'

export const UNKNOWN_CATEGORY = 'Categoria nu există.'

/** An error for the category of an upload. */
export const unknownCategory = (): Error => invalid([{ field: 'categorySlug', message: UNKNOWN_CATEGORY }])

/** Returns the slug that a former slug was moved to; the given slug if it was never moved. */
export const resolveCategorySlug = async ({ db }: Ctx, slug: string): Promise<string> =>
  (await selectRedirect(db, slug)) ?? slug

/**
 * Locks the list of categories against saves until the transaction ends. A service that writes a category's
 * slug calls it before it locks an upload: `saveCategories` locks in this order too.
 */
export const blockCategorySaves = async (tx: Ctx): Promise<void> => {
  await lockCategoryListForShare(tx.db)
}

/** Returns every category in display order. Any signed-in user may read the categories. */
export const findCategories = ({ db }: Ctx): Promise<CategoryRow[]> => selectCategories(db)

/** Returns the category that has a slug, or to which a former slug was moved; undefined if there is none. */
export async function findCategory(ctx: Ctx, given: string): Promise<CategoryRow | undefined> {
  const now = await resolveCategorySlug(ctx, given)
  return (await findCategories(ctx)).find(({ slug }) => slug === now)
}
