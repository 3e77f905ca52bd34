import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { type AccountLinkRow, selectAccountLink } from './account-links.db.ts'

/** Returns the link and owner of a token; null for an unknown, used, expired or replaced link alike. */
export const findAccountLink = async ({ db, now }: Ctx, token: string): Promise<AccountLinkRow | null> =>
  (await selectAccountLink(db, hashToken(token), now)) ?? null
