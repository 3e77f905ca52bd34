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

/**
 * An identity confirmed by an OpenID provider: its issuer, the subject, and the verified email address if
 * there is one.
 */
export type ProvidedIdentity = { issuer: string; subject: string; email: string | null }

/**
 * Signs in a user after the authentication by the OpenID provider, as the account linked to that identity; the
 * first time, links the account with the verified address, and activates an invited one. Never creates an
 * account. Returns null and records a failed attempt if no account matches, the account is suspended or
 * linked to another identity, or the organisation does not sign in by provider.
 */
export function signInByProvider(
  ctx: Ctx,
  identity: ProvidedIdentity,
  previousToken: string | null,
): Promise<SignInStep | null> {
  return inTransaction(ctx, async (tx) => {
    const user = (await mayUseProvider(tx.db)) ? await findUserByIdentity(tx, identity) : undefined
    if (user?.effective_status === 'active')
      return startSessionOrSecondFactor(tx, user, {
        provider: 'oidc',
        previousToken,
        shared: false,
      })
    const subject = user ? { subject: { type: 'user', id: user.id } } : {}
    await recordAudit(tx, { action: 'session.sign-in-failed', ...subject, outcome: 'failed' })
    return null
  })
}

/** Returns the account of the identity, locked until the transaction ends; undefined if there is none. */
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
