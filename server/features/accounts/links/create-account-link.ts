import { LIMITS } from '../../../../shared/limits.ts'
import type { Ctx } from '../../../context.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import { newId } from '../../../platform/ids.ts'
import { findSiteUrl } from '../../site/find-site.ts'
import { insertAccountLink } from '../accounts.db.ts'
import { expireAccountLinks } from './account-links.db.ts'

/** How long a link of each purpose is valid. */
const LINK_TTL_MS = {
  invitation: LIMITS.invitationDays * 24 * 60 * 60 * 1000,
  reset: LIMITS.resetMinutes * 60 * 1000,
} as const

/**
 * Creates the one-time link with which the account's owner chooses a password, in the caller's transaction.
 * Expires older links of this purpose; an invitation also expires the first administrator's link. Returns the
 * address, which is not stored: the database has only the hash of its token.
 */
export async function createAccountLink(
  tx: Ctx,
  userId: string,
  purpose: 'invitation' | 'reset',
): Promise<string> {
  await expireAccountLinks(tx.db, userId, purpose, tx.now)
  const token = newToken()
  await insertAccountLink(tx.db, {
    id: newId(),
    token_hash: hashToken(token),
    user_id: userId,
    purpose,
    expires_at: new Date(tx.now.getTime() + LINK_TTL_MS[purpose]),
  })
  return `${await findSiteUrl(tx)}/cont/${token}`
}
