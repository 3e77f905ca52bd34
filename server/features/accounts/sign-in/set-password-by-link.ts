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
import { limitAttempts, resetFailedAttempts } from '../throttle/attempt-limit.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'
import { type SignInStep, startSessionOrSecondFactor } from './start-session-or-second-factor.ts'

/**
 * `link` alike for a link that never was, was used, has expired, gave way to a newer one, is of a suspended account or of
 * one that comes in through the provider alone; `wait` for every link from a network that is out of tries.
 */
type LinkRejection = 'link' | 'wait' | PasswordError

/**
 * Whoever holds an account's one-time link sets its password with it, once. Leaves the account active, its links void,
 * its other sessions and half sign-ins ended, and the holder in, or where the account has a second factor or must have
 * one, asked for that. A refused password does not use the link up.
 */
export async function setPasswordByLink(
  ctx: Ctx,
  input: { token: string; password: string; formerToken: string | null; network: string | null },
): Promise<SignInStep | { refused: LinkRejection }> {
  const linkHash = hashToken(input.token)
  const attempt = await limitAttempts(ctx, { target: null, network: input.network }, async (allowed) => {
    const holder = allowed ? await selectUserByAccountLink(ctx.db, linkHash, ctx.now) : undefined
    return holder && (await mayUsePassword(ctx.db, holder.role)) ? holder : null
  })
  if (!attempt.proved) {
    await recordFailedSignIn(ctx, attempt, { userId: null, network: input.network })
    return { refused: attempt.networkBlocked ? 'wait' : 'link' }
  }
  const holder = attempt.proved
  const fault = findLinkError(input.password, holder)
  if (fault) return { refused: fault }

  const passwordHash = await hashPassword(input.password, input.network)
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, holder.id)
    // Without the second factor that the account had a moment ago, the password has to be longer.
    const lateFault = user && findLinkError(input.password, user)
    if (lateFault) return { refused: lateFault }
    // Several may have come this far with the same link: the first takes the row, the others find it used.
    const isOpen = user && user.effective_status !== 'suspended' && (await mayUsePassword(tx.db, user.role))
    const link = isOpen && (await useAccountLink(tx.db, linkHash, tx.now))
    if (!link) {
      await recordAudit(tx, { action: 'session.sign-in-failed', outcome: 'failed' })
      return { refused: 'link' }
    }
    await deleteAccountLinks(tx.db, user.id)
    const changed = await updatePassword(tx.db, user.id, passwordHash, tx.now)
    await revokeSessionsOfUser(tx.db, user.id, tx.now)
    await deletePendingSignIns(tx.db, user.id)
    await resetFailedAttempts(tx.db, user)
    const admitted = await startSessionOrSecondFactor(tx, changed, {
      provider: 'local',
      previousToken: input.formerToken,
    })
    await recordAudit('session' in admitted ? { ...tx, actor: admitted.session.actor } : tx, {
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
    return admitted
  })
}

const findLinkError = (
  password: string,
  user: { email: string; name: string; totp_secret: Buffer | null },
): PasswordError | null =>
  findPasswordError(password, passwordMin(user.totp_secret !== null), [user.email, user.name])
