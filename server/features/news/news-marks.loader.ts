import type { UserCtx } from '../../context.ts'
import { createBatcherPerPool } from '../../platform/database/batcher.ts'
import type { Db } from '../../platform/database/database.ts'
import { canReadNews, newsScope } from './news.access.ts'
import { type MarksRow, selectMarks } from './news.db.ts'

type Item = { patientId: string; actor: UserCtx['actor'] }

/** The patients of one list, which one reader has requested, share a statement. */
const marksOf = createBatcherPerPool(async (db: Db, items: readonly Item[]) => {
  const byReader = Map.groupBy(items, ({ actor }) => actor)
  const found = new Map<string, MarksRow>()
  for (const [actor, asked] of byReader) {
    const ids = [...new Set(asked.map(({ patientId }) => patientId))]
    for (const row of await selectMarks(db, newsScope(actor), actor.id, ids))
      found.set(`${actor.id} ${row.patient_id}`, row)
  }
  return items.map(({ patientId, actor }) => found.get(`${actor.id} ${patientId}`))
})

/** Returns how many warnings and unread news a patient has for the actor; null without the feature. */
export const loadNewsMarks = async (
  { db, actor }: UserCtx,
  patientId: string,
): Promise<{ warnings: number; unread: number } | null> =>
  canReadNews(actor) ? ((await marksOf(db, { patientId, actor })) ?? { warnings: 0, unread: 0 }) : null
