import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { hashToken, newToken } from '../../../platform/crypto/keys.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  deleteAccountLinks,
  hasAnyUser,
  insertAccountLink,
  insertUser,
  lockAccounts,
  selectPendingAdministrator,
} from '../accounts.db.ts'

/** Milliseconds; every start of the server makes a new link until one has been used. */
const LINK_TTL_MS = 24 * 60 * 60 * 1000

/**
 * The start of the server, where nobody has an account yet: leaves an invited administrator and answers the token of the
 * one-time link (`/cont/{token}`). While that link is unused a later start makes a new one and the old one is void.
 * Null where somebody can sign in already.
 */
export function createFirstAdministrator(
  ctx: Ctx<SystemActor>,
  email: string,
): Promise<{ email: string; token: string } | null> {
  return inTransaction(ctx, async (tx) => {
    // Two servers that start at once on an empty database make one administrator.
    await lockAccounts(tx.db)
    const awaited = await selectPendingAdministrator(tx.db)
    if (!awaited && (await hasAnyUser(tx.db))) return null

    const id = awaited?.id ?? newId()
    if (!awaited) {
      await insertUser(tx.db, { id, email, name: 'Administrator', role: 'admin', status: 'invited' })
      await recordAudit(tx, { action: 'account.create', subject: { type: 'user', id } })
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
    return { email: awaited?.email ?? email, token }
  })
}
