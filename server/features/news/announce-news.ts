import type { NewsVisibility } from '../../../shared/news/news.ts'
import type { Ctx } from '../../context.ts'
import { publish } from '../../platform/events.ts'
import { isOpenReferral, listReferrals } from '../patients/list-referrals.ts'

/** Publishes to the readers of a patient's news that these have changed; `visibility` is the widest before and after the change. */
export async function announceNews(tx: Ctx, patientId: string, visibility: NewsVisibility): Promise<void> {
  await publish(tx.db, { kind: 'news', institutionId: null })
  if (visibility === 'staff') return
  const referrals = (await listReferrals(tx, patientId)).filter(isOpenReferral)
  for (const institutionId of new Set(referrals.map(({ institution_id }) => institution_id)))
    await publish(tx.db, { kind: 'news', institutionId })
}
