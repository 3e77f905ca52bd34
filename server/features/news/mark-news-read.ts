import { z } from 'zod'
import { LIMITS } from '../../../shared/limits.ts'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { isId } from '../../platform/ids.ts'
import { parseInput } from '../../validation.ts'
import { canReadNews, newsScope } from './news.access.ts'
import { type NewsRow, selectNewsByIds, upsertReadings } from './news.db.ts'

const schema = z.object({
  readings: z
    .array(z.object({ id: z.string(), revision: z.int() }))
    .min(1)
    .max(LIMITS.patientNews),
})

/**
 * Marks texts that were shown to the actor as read by them, and returns the entries. Those that the actor does not read are
 * left out; a text that was replaced meanwhile leaves the new one unread.
 */
export async function markNewsRead(
  ctx: UserCtx,
  input: { readings: readonly { id: string; revision: number }[] },
): Promise<NewsRow[]> {
  if (!canReadNews(ctx.actor)) throw forbidden('mark news as read')
  const { readings } = parseInput(schema, input)
  const revisions = new Map(readings.filter(({ id }) => isId(id)).map(({ id, revision }) => [id, revision]))
  const find = (db: UserCtx['db']) =>
    selectNewsByIds(db, newsScope(ctx.actor), ctx.actor.id, [...revisions.keys()])
  return inTransaction(ctx, async (tx) => {
    const shown = (await find(tx.db)).filter(({ id, revision }) => revisions.get(id)! <= revision)
    if (shown.length === 0) return []
    await upsertReadings(
      tx.db,
      shown.map(({ id }) => ({
        news_id: id,
        user_id: tx.actor.id,
        revision: revisions.get(id)!,
        read_at: tx.now,
      })),
    )
    return find(tx.db)
  })
}
