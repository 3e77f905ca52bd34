import type { UserCtx } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { batchRows } from '../../platform/database/batcher.ts'
import { isId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { getPatient } from '../patients/get-patient.ts'
import { canReadNews, canWriteNews, newsScope } from './news.access.ts'
import {
  type NewsRow,
  type ReadingRow,
  type RevisionRow,
  selectNews,
  selectNewsOf,
  selectReadings,
  selectRevisions,
} from './news.db.ts'

/**
 * Returns the news about a patient whom the actor may read: warnings first, then what is pinned, then the newest. With
 * `removed` what was removed in the last days, for staff.
 */
export async function listNewsOf(
  ctx: UserCtx,
  { patientId, removed = false }: { patientId: string; removed?: boolean | null | undefined },
): Promise<NewsRow[]> {
  const isRemoved = removed ?? false
  if (isRemoved ? !canWriteNews(ctx.actor) : !canReadNews(ctx.actor)) throw forbidden('read news')
  const { id } = await getPatient(ctx, patientId)
  const rows = await selectNewsOf(ctx.db, newsScope(ctx.actor), ctx.actor.id, id, { isRemoved })
  await recordAudit(ctx, { action: 'news.read', subject: { type: 'patient', id }, patientId: id })
  return rows
}

/** Returns the entry. Throws NOT_FOUND if it is not in the actor's scope or was removed. */
export async function getNews(ctx: UserCtx, id: string): Promise<NewsRow> {
  const row = isId(id) ? await selectNews(ctx.db, newsScope(ctx.actor), ctx.actor.id, id) : undefined
  if (!row) throw notFound('news')
  return row
}

const revisionsOf = batchRows(
  selectRevisions,
  (newsId: string) => newsId,
  ({ news_id }) => news_id,
)
const readingsOf = batchRows(
  selectReadings,
  (newsId: string) => newsId,
  ({ news_id }) => news_id,
)

/** Returns the former texts of an entry, the last first. */
export const loadRevisions = ({ db }: UserCtx, { id }: NewsRow): Promise<RevisionRow[]> => revisionsOf(db, id)

/** Returns who has read an entry, the last first. */
export const loadReadings = ({ db }: UserCtx, { id }: NewsRow): Promise<ReadingRow[]> => readingsOf(db, id)
