import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { type AccountLinkRow, selectAccountLink } from './account-links.db.ts'

/**
 * Returns the link and the owner of a token; null if the link is unknown, used, expired or replaced, or if
 * the account is suspended or may not use a password. Attempts are not limited: the token has 256 random bits
 * and is looked up by its hash, so guessing is hopeless.
 */
export async function findAccountLink({ db, now }: Ctx, token: string): Promise<AccountLinkRow | null> {
  const link = await selectAccountLink(db, hashToken(token), now)
  return link && (await mayUsePassword(db, link.role)) ? link : null
}
