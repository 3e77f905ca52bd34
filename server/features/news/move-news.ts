import type { UserCtx } from '../../context.ts'
import { announceNews } from './announce-news.ts'
import { canReadNews } from './news.access.ts'
import {
  isShownByLinkOfOther,
  moveNewsRows,
  rewriteNews,
  selectInstitutionsShownByOther,
  selectWrittenSince,
} from './news.db.ts'

/** Returns the institutions that read no news of one of two patients and would read some if these were merged. */
export const findInstitutionsShownByOther = async (
  ctx: UserCtx,
  patientIds: readonly [string, string],
): Promise<string[]> => (await selectInstitutionsShownByOther(ctx.db, patientIds)).map(({ name }) => name)

/** Whether a link with results of one of two patients would show news of the other if these were merged. */
export const findShownByLinkOfOther = (
  ctx: UserCtx,
  patientIds: readonly [string, string],
): Promise<boolean> => isShownByLinkOfOther(ctx.db, patientIds)

/** Moves the news of a patient, with `ids` only these, to another; called after the referrals were moved. Returns their ids. */
export async function moveNews(
  tx: UserCtx,
  { from, to, ids = null }: { from: string; to: string; ids?: readonly string[] | null },
): Promise<string[]> {
  const moved = (await moveNewsRows(tx.db, from, to, ids)).map(({ id }) => id)
  if (moved.length > 0) for (const id of [from, to]) await announceNews(tx, id, 'institution')
  return moved
}

/**
 * Takes back to staff what was written about either of two patients since they were merged: a person has to say about whom it
 * is. Returns how many entries were written since, for a reader of news.
 */
export async function withholdNewsSince(
  tx: UserCtx,
  patientIds: readonly [string, string],
  since: Date,
): Promise<number> {
  const written = await selectWrittenSince(tx.db, patientIds, since)
  const shown = written.filter(({ visibility }) => visibility !== 'staff').map(({ id }) => id)
  if (shown.length > 0) {
    await rewriteNews(tx.db, shown, { visibility: 'staff' }, { writerId: tx.actor.id, now: tx.now })
    for (const id of patientIds) await announceNews(tx, id, 'institution')
  }
  return canReadNews(tx.actor) ? written.length : 0
}
