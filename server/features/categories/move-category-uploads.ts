import { setTimeout as pause } from 'node:timers/promises'
import { type Ctx, inTransaction, type SystemActor, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { canSaveCategories } from './categories.access.ts'
import { endMove, moveUploads, selectMoves } from './category-redirects.db.ts'
import { blockCategorySaves } from './find-category.ts'

/** Uploads that one transaction moves: well below a second. */
const BATCH_SIZE = 2_000
/** After this time the job yields to others and continues as the next job. */
const SLICE_MS = 2_000
/** Between batches, also while the uploads that are left are locked by others. */
const MIN_PAUSE_MS = 100

/** The uploads of a former slug on their way to its new one. */
export type CategoryMove = { from: string; to: string; count: number; moved: number }

/** Returns the moves that have not ended, for administrators. */
export async function listCategoryMoves({ actor, db }: UserCtx): Promise<CategoryMove[]> {
  if (!canSaveCategories(actor)) throw forbidden('list category moves')
  const rows = await selectMoves(db)
  return rows.map(({ old_slug, new_slug, upload_count, moved_count }) => ({
    from: old_slug,
    to: new_slug,
    count: upload_count,
    moved: moved_count,
  }))
}

/** Moves the next uploads of former slugs; returns whether no move is left. The caller has locked the list. */
export async function moveBatch({ db }: Ctx, size = BATCH_SIZE): Promise<boolean> {
  let left = size
  for (const { old_slug } of await selectMoves(db)) {
    left -= await moveUploads(db, old_slug, left)
    if (left === 0) return false
    await endMove(db, old_slug)
  }
  return (await selectMoves(db)).length === 0
}

/** Moves uploads of former slugs for some seconds, and enqueues itself again until none is left. */
export async function moveCategoryUploads(ctx: Ctx<SystemActor>, sliceMs = SLICE_MS): Promise<void> {
  const until = Date.now() + sliceMs
  do {
    const begun = Date.now()
    const isDone = await inTransaction(ctx, async (tx) => {
      await blockCategorySaves(tx)
      return moveBatch(tx)
    })
    if (isDone) return
    // As long as it took: the pages that follow the uploads share the database with it.
    await pause(Math.max(MIN_PAUSE_MS, Date.now() - begun))
  } while (Date.now() < until)
  await ctx.services.jobs.enqueue(ctx.db, 'move-category-uploads', {})
}

/** Enqueues the moves that the last server did not finish. */
export async function resumeCategoryMoves({ db, services }: Ctx<SystemActor>): Promise<void> {
  if ((await selectMoves(db)).length > 0) await services.jobs.enqueue(db, 'move-category-uploads', {})
}
