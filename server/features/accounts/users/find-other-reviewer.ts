import type { AccountStatus } from '../../../../shared/access/account-statuses.ts'
import type { UserCtx } from '../../../context.ts'
import { selectOtherReviewerStatus } from './users.db.ts'

/** Returns `active` if another person may give verdicts, else `invited` if one was invited; null without any. */
export const findOtherReviewer = async ({ db, actor }: UserCtx): Promise<AccountStatus | null> =>
  (await selectOtherReviewerStatus(db, actor.id))?.status ?? null
