import type { CategoryList } from '../../../shared/uploads/categories.ts'
import type { UserCtx } from '../../context.ts'
import { selectCategoryList } from './categories.db.ts'

/**
 * The answer of getCategories: a JSON string with the flat `tree` in display order [3.6][7.10], its version, and where slugs
 * that have left it have gone. Any signed-in user may ask.
 */
export const listCategories = async (ctx: UserCtx): Promise<string> =>
  writeCategoryList(await selectCategoryList(ctx.db))

export const writeCategoryList = ({ tree, version, moved }: CategoryList): string =>
  JSON.stringify({ tree, version, moved })
