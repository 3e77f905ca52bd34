import { isInSecondFactorGroup } from '../../../shared/access/second-factor.ts'
import type { SessionEnd } from '../../../shared/session-ends.ts'
import type { Ctx } from '../../context.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { findSite } from '../site/find-site.ts'
import { selectUnexpiredSession } from './accounts.db.ts'
import { isIdle } from './sessions/idle.ts'

/**
 * Returns why the organisation ended the session of this token: the account may not sign in, the session was not used, or
 * its role now requires a second factor. Returns null if the session is live, unknown, expired, or ended for another reason.
 */
export async function findSessionEnd(ctx: Ctx, token: string | null): Promise<SessionEnd | null> {
  const session = token === null ? undefined : await selectUnexpiredSession(ctx.db, hashToken(token), ctx.now)
  if (!session) return null
  if (session.effective_status === 'suspended') return 'suspended'
  if (!session.revoked_at) return isIdle(session, ctx.now) ? 'idle' : null
  const { second_factor_required } = await findSite(ctx.db)
  const isRequired = isInSecondFactorGroup(session, second_factor_required)
  return isRequired && !session.has_second_factor ? 'second-factor' : null
}
