import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canSaveCategories } from './categories.access.ts'
import { countUploadsBySlug } from './category-redirects.db.ts'

/** Counts the uploads of each slug that has any, former slugs included. */
export async function countUploads(ctx: UserCtx): Promise<{ slug: string; count: number }[]> {
  if (!canSaveCategories(ctx.actor)) throw forbidden('count uploads by category')
  return countUploadsBySlug(ctx.db)
}
