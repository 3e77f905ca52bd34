import type { Ctx } from '../../context.ts'
import { type CategoryRow, lockCategoryListForShare, selectCategories } from './categories.db.ts'
import { selectRedirect } from './category-redirects.db.ts'

/** Returns the slug that an earlier slug was changed to; the same slug where it was never changed. */
export const resolveCategorySlug = async ({ db }: Ctx, slug: string): Promise<string> =>
  (await selectRedirect(db, slug)) ?? slug

/**
 * Keeps the list of categories from being saved until the transaction ends. A verb that writes a category's slug calls it
 * first, before it locks an upload: `saveCategories` locks in the same order.
 */
export const keepCategoryList = async (tx: Ctx): Promise<void> => {
  await lockCategoryListForShare(tx.db)
}

/** Returns every category in display order. Any signed-in user may read them. */
export const findCategories = ({ db }: Ctx): Promise<CategoryRow[]> => selectCategories(db)
