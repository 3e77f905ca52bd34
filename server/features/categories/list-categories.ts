import type { CategoryList } from '../../../shared/uploads/categories.ts'
import type { UserCtx } from '../../context.ts'
import { selectCategoryList } from './categories.db.ts'

/**
 * Returns every category, flat and in display order [3.6][7.10], the version of the list, and the redirects of
 * former slugs. Any signed-in user may read it.
 */
export const listCategories = (ctx: UserCtx): Promise<CategoryList> => selectCategoryList(ctx.db)
