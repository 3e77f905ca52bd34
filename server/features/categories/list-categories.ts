import type { CategoryList } from '../../../shared/uploads/categories.ts'
import type { UserCtx } from '../../context.ts'
import { selectCategoryList } from './categories.db.ts'

/**
 * Returns the result of getCategories: a JSON string with the flat `tree` in display order [3.6][7.10], its
 * version, and the redirects of former slugs. Any signed-in user may read it.
 */
export const listCategories = async (ctx: UserCtx): Promise<string> =>
  writeCategoryList(await selectCategoryList(ctx.db))

export const writeCategoryList = ({ tree, version, moved }: CategoryList): string =>
  JSON.stringify({ tree, version, moved })
