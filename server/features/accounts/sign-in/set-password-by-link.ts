import { findPasswordError, type PasswordError, passwordMin } from '../../../../shared/password-rules.ts'
import { type Ctx, inTransaction } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { publish } from '../../../platform/events.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { queueMessage } from '../../messages/queue-message.ts'
import {
  deleteAccountLinks,
  lockUser,
  revokeSessionsOfUser,
  selectUserByAccountLink,
  updatePassword,
  useAccountLink,
} from '../accounts.db.ts'
import { mayUsePassword } from '../credentials/may-use-password.ts'
import { hashPassword } from '../credentials/password.ts'
import { deletePendingSignIns } from '../credentials/second-factor.db.ts'
import { type AttemptSource, limitAttempts, resetFailedAttempts } from '../throttle/attempt-limit.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'
import { type SignInStep, startSessionOrSecondFactor } from './start-session-or-second-factor.ts'

/**
 * `link`: the link is unknown, used, expired or replaced, or its account is suspended or may not use a
 * password; these cases are indistinguishable to the client. `wait`: the network is over its limit of failed
 * attempts.
 */
type LinkRejection = 'link' | 'wait' | PasswordError

/**
 * Sets the password of the account of a one-time link, which is then used up, and activates the account; a
 * rejected password does not use up the link. Deletes all links of the account and ends its sessions and
 * pending sign-ins. Signs the user in, or starts the second factor that the account has or its role requires.
 */
export async function setPasswordByLink(
  ctx: Ctx,
  input: { token: string; password: string; formerToken: string | null } & AttemptSource,
): Promise<SignInStep | { rejection: LinkRejection }> {
  const linkHash = hashToken(input.token)
  const attempt = await limitAttempts(ctx, { target: null, network: input.network }, async (allowed) => {
    const owner = allowed ? await selectUserByAccountLink(ctx.db, linkHash, ctx.now) : undefined
    return owner && (await mayUsePassword(ctx.db, owner.role)) ? owner : null
  })
  if (!attempt.proved) {
    await recordFailedSignIn(ctx, attempt, { userId: null, network: input.network })
    return { rejection: attempt.networkBlocked ? 'wait' : 'link' }
  }
  const owner = attempt.proved
  const passwordError = findLinkError(input.password, owner)
  if (passwordError) return { rejection: passwordError }

  const passwordHash = await hashPassword(input.password, input.network)
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, owner.id)
    // Checked again under the lock: without the second factor that the account just had, the password must be
    // longer.
    const currentError = user && findLinkError(input.password, user)
    if (currentError) return { rejection: currentError }
    // Of concurrent requests with one link, only the first gets the row.
    const isOpen = user && user.effective_status !== 'suspended' && (await mayUsePassword(tx.db, user.role))
    const link = isOpen && (await useAccountLink(tx.db, linkHash, tx.now))
    if (!link) {
      await recordAudit(tx, { action: 'session.sign-in-failed', outcome: 'failed' })
      return { rejection: 'link' }
    }
    await deleteAccountLinks(tx.db, user.id)
    await updatePassword(tx.db, user.id, passwordHash, tx.now)
    await revokeSessionsOfUser(tx.db, user.id, tx.now)
    await deletePendingSignIns(tx.db, user.id)
    await resetFailedAttempts(tx.db, user, input.device)
    const signInStep = await startSessionOrSecondFactor(tx, user, {
      provider: 'local',
      previousToken: input.formerToken,
      shared: false,
    })
    await recordAudit('session' in signInStep ? { ...tx, actor: signInStep.session.actor } : tx, {
      action: 'account.set-password',
      subject: { type: 'user', id: user.id },
    })
    if (link.purpose === 'reset') {
      await queueMessage(tx, {
        to: { name: user.name, address: user.email },
        content: { kind: 'password-changed', at: tx.now },
        about: { type: 'user', id: user.id },
      })
    }
    await publish(tx.db, { kind: 'account', id: user.id })
    return signInStep
  })
}

const findLinkError = (
  password: string,
  user: { email: string; name: string; totp_secret: Buffer | null },
): PasswordError | null =>
  findPasswordError(password, passwordMin(user.totp_secret !== null), [user.email, user.name])
