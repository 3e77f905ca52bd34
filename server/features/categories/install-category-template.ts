import { CATEGORY_TEMPLATE } from '../../../shared/setup/category-template.ts'
import type { CategoryList } from '../../../shared/uploads/categories.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden, invalidState } from '../../errors.ts'
import { canSaveCategories } from './categories.access.ts'
import { lockCategoryList, selectCategoryList } from './categories.db.ts'
import { saveCategories } from './save-categories.ts'

/**
 * Fills an empty list with the categories of the template, for an administrator, and returns the list, which is edited like
 * any other. Changes nothing if the list has the whole template already; throws CONFLICT if it has other categories.
 */
export async function installCategoryTemplate(ctx: UserCtx): Promise<CategoryList> {
  if (!canSaveCategories(ctx.actor)) throw forbidden('install the template of categories')
  return inTransaction(ctx, async (tx) => {
    await lockCategoryList(tx.db)
    const before = await selectCategoryList(tx.db)
    if (before.tree.length === 0) return saveCategories(tx, JSON.stringify(CATEGORY_TEMPLATE), null)
    const slugs = new Set(before.tree.map(({ slug }) => slug))
    if (CATEGORY_TEMPLATE.every(({ slug }) => slugs.has(slug))) return before
    throw invalidState(
      'categories exist',
      'Lista are deja categorii, așa că șablonul nu se mai poate folosi. Adaugă-le pe cele care lipsesc.',
    )
  })
}
