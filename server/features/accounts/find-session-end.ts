import type { SessionEnd } from '../../../shared/session-ends.ts'
import type { Ctx } from '../../context.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { findSite } from '../site/find-site.ts'
import { selectEndedSession } from './accounts.db.ts'

/**
 * Returns why the organisation ended the session of this token: the account may not sign in, or its role now
 * requires a second factor. Returns null if the session is live, unknown, expired, or ended for another
 * reason.
 */
export async function findSessionEnd(ctx: Ctx, token: string | null): Promise<SessionEnd | null> {
  const session = token === null ? undefined : await selectEndedSession(ctx.db, hashToken(token), ctx.now)
  if (!session) return null
  if (session.effective_status === 'suspended') return 'suspended'
  const { second_factor_required } = await findSite(ctx.db)
  return !session.has_second_factor && second_factor_required.includes(session.role) ? 'second-factor' : null
}
