import { categoryTree } from '../../../shared/categories.ts'
import type { UserCtx } from '../../context.ts'
import { selectCategories } from './categories.db.ts'

/** The answer of getCategories: a JSON string with the `tree` [3.6][7.10]. Any signed-in user may ask. */
export async function listCategories(ctx: UserCtx): Promise<string> {
  return JSON.stringify({ tree: categoryTree(await selectCategories(ctx.db)) })
}
