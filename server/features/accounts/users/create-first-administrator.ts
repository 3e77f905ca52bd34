import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { storeFirstSettings } from '../../site/store-first-settings.ts'
import {
  deleteAccountLinks,
  hasAnyUser,
  insertAccountLink,
  insertUser,
  lockAccounts,
  selectPendingAdministrator,
} from '../accounts.db.ts'

/** The server creates a new link at every start until one has been used. */
const LINK_TTL_MS = 24 * 60 * 60 * 1000

/**
 * Creates an invited administrator and the first settings if there are no accounts, and returns the token of the one-time link
 * (`/cont/{token}`). While the link is unused, a later start replaces it and the old one becomes invalid.
 * Returns null if there are accounts but no first administrator who still has to use the link.
 */
export async function createFirstAdministrator(
  ctx: Ctx<SystemActor>,
  email: string,
): Promise<{ email: string; token: string } | null> {
  // A start of a site with accounts takes no lock. Read in this order, since an account and its link are stored together.
  if ((await hasAnyUser(ctx.db)) && !(await selectPendingAdministrator(ctx.db))) return null
  return inTransaction(ctx, async (tx) => {
    // The lock makes two servers that start at once on an empty database create one administrator.
    await lockAccounts(tx.db)
    const pending = await selectPendingAdministrator(tx.db)
    if (!pending && (await hasAnyUser(tx.db))) return null

    const id = pending?.id ?? newId()
    if (!pending) {
      await insertUser(tx.db, { id, email, name: 'Administrator', role: 'admin', status: 'invited' })
      await recordAudit(tx, { action: 'account.create', subject: { type: 'user', id } })
      await storeFirstSettings(tx)
    }
    await deleteAccountLinks(tx.db, id)
    const token = newToken()
    await insertAccountLink(tx.db, {
      id: newId(),
      token_hash: hashToken(token),
      user_id: id,
      purpose: 'first-administrator',
      expires_at: new Date(tx.now.getTime() + LINK_TTL_MS),
    })
    return { email: pending?.email ?? email, token }
  })
}
