import { parseEmail } from '../../../../shared/email.ts'
import { type Ctx, inTransaction } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import {
  activateUser,
  deleteAccountLinks,
  type LockedUser,
  lockUser,
  selectUserByEmail,
} from '../accounts.db.ts'
import { insertIdentity, selectUserByIdentity } from '../credentials/identities.db.ts'
import { mayUseProvider } from '../credentials/may-use-provider.ts'
import { type SignInStep, startSessionOrSecondFactor } from './start-session-or-second-factor.ts'

/** What an OpenID provider vouches for: its issuer, its name for the person, and the address it has verified, if any. */
export type ProvidedIdentity = { issuer: string; subject: string; email: string | null }

/**
 * Somebody whom the provider knows comes in as the account that was theirs before; the first time, as the account with
 * the address that the provider has verified, and from then on as that whatever the address. An invited account becomes
 * active and its links void. Nobody is created. Leaves a session or a sign-in that waits for the second factor; null, with
 * one failed try in the journal, for who is unknown, suspended, or has an address whose account is another's here, and for
 * everybody where the provider is not the house's way in.
 */
export function signInByProvider(
  ctx: Ctx,
  identity: ProvidedIdentity,
  previousToken: string | null,
): Promise<SignInStep | null> {
  return inTransaction(ctx, async (tx) => {
    const user = (await mayUseProvider(tx.db)) ? await findUserByIdentity(tx, identity) : undefined
    if (user?.effective_status === 'active')
      return startSessionOrSecondFactor(tx, user, { provider: 'oidc', previousToken })
    const subject = user ? { subject: { type: 'user', id: user.id } } : {}
    await recordAudit(tx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
    return null
  })
}

/** Whose account it is, held until the end of the transaction. */
async function findUserByIdentity(tx: Ctx, identity: ProvidedIdentity): Promise<LockedUser | undefined> {
  const known = await selectUserByIdentity(tx.db, identity.issuer, identity.subject)
  return known ? lockUser(tx.db, known.id) : findUserByEmail(tx, identity)
}

async function findUserByEmail(tx: Ctx, { issuer, subject, email }: ProvidedIdentity) {
  const address = email && parseEmail(email)
  const found = address ? await selectUserByEmail(tx.db, address) : undefined
  const user = found && (await lockUser(tx.db, found.id))
  if (!user || user.effective_status === 'suspended') return user
  if (!(await insertIdentity(tx.db, { provider: issuer, subject, user_id: user.id }))) return undefined
  if (user.effective_status === 'invited') {
    await activateUser(tx.db, user.id, tx.now)
    await deleteAccountLinks(tx.db, user.id)
  }
  return { ...user, effective_status: 'active' as const }
}
