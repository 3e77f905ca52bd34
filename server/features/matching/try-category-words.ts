import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canTryCategoryWords } from './matching.access.ts'
import { type ProposedCategory, proposeCategory } from './propose-category.ts'

/** Returns the category that would be proposed for a file with this text; null if none. */
export function tryCategoryWords(ctx: UserCtx, text: string): Promise<ProposedCategory | null> {
  if (!canTryCategoryWords(ctx.actor)) throw forbidden('try category words')
  return proposeCategory(ctx, [text])
}
