import { type PasswordFault, passwordFault, passwordMin } from '../../../shared/password-rules.ts'
import { type Ctx, inTransaction } from '../../context.ts'
import { announce } from '../../platform/events.ts'
import { hashToken } from '../../platform/keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { queueMessage } from '../messages/queue-message.ts'
import {
  deleteAccountLinks,
  lockUser,
  revokeSessionsOfUser,
  selectUserByAccountLink,
  updatePassword,
  useAccountLink,
} from './accounts.db.ts'
import { type Admission, admitUser } from './admit-user.ts'
import { forgetGuesses, limitTries } from './limit-tries.ts'
import { mayUsePassword } from './may-use-password.ts'
import { hashPassword } from './password.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { deletePendingSignIns } from './second-factor.db.ts'

/**
 * `link` alike for a link that never was, was used, has expired, gave way to a newer one, is of a suspended account or of
 * one that comes in through the provider alone; `wait` for every link from a network that is out of tries.
 */
type LinkRefusal = 'link' | 'wait' | PasswordFault

/**
 * Whoever holds an account's one-time link sets its password with it, once. Leaves the account active, its links void,
 * its other sessions and half sign-ins ended, and the holder in, or where the account has a second factor or must have
 * one, asked for that. A refused password does not use the link up.
 */
export async function setPasswordByLink(
  ctx: Ctx,
  input: { token: string; password: string; formerToken: string | null; network: string | null },
): Promise<Admission | { refused: LinkRefusal }> {
  const linkHash = hashToken(input.token)
  const tried = await limitTries(ctx, { guessed: null, network: input.network }, async (allowed) => {
    const holder = allowed ? await selectUserByAccountLink(ctx.db, linkHash, ctx.now) : undefined
    return holder && (await mayUsePassword(ctx.db, holder.role)) ? holder : null
  })
  if (!tried.proved) {
    await recordFailedSignIn(ctx, tried, { userId: null, network: input.network })
    return { refused: tried.networkSpent ? 'wait' : 'link' }
  }
  const holder = tried.proved
  const fault = findFault(input.password, holder)
  if (fault) return { refused: fault }

  const passwordHash = await hashPassword(input.password, input.network)
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, holder.id)
    // Without the second factor that the account had a moment ago, the password has to be longer.
    const lateFault = user && findFault(input.password, user)
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
    await forgetGuesses(tx.db, user)
    const admitted = await admitUser(tx, changed, { provider: 'local', formerToken: input.formerToken })
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
    await announce(tx.db, { kind: 'account', id: user.id })
    return admitted
  })
}

const findFault = (
  password: string,
  user: { email: string; name: string; totp_secret: Buffer | null },
): PasswordFault | null =>
  passwordFault(password, passwordMin(user.totp_secret !== null), [user.email, user.name])
