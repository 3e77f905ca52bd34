import type { UserCtx } from '../../../context.ts'
import { conflict, invalid } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { type LockedUser, lockUser, selectUser } from '../accounts.db.ts'
import { limitAttempts } from '../throttle/attempt-limit.ts'
import { notifyAccountBlocked } from '../throttle/notify-account-blocked.ts'
import { consumeCode } from './consume-code.ts'
import { verifyPassword } from './password.ts'

/**
 * Before something grave a signed-in person writes their password again: whoever has only found the screen open does not
 * know it. Answers the account as it was when the password was right. Guessing is slowed down as at the sign-in, and a
 * wrong one is in the journal. `field`: what the input is called where the refusal names it. What is
 * then changed takes `lockIfUnchanged` first.
 */
export async function reauthenticateByPassword(
  ctx: UserCtx,
  password: string,
  field = 'password',
): Promise<LockedUser> {
  const user = await getOwnUser(ctx)
  const target = { kind: 'current-password' as const, userId: user.id }
  const attempt = await limitAttempts(ctx, { target, network: null }, async () =>
    (await verifyPassword(password, user.password_hash, user.id)) ? user : null,
  )
  if (attempt.proved) return attempt.proved
  await recordFailedProof(ctx, user, attempt.blocked)
  throw invalid([{ field, message: `Parola nu este corectă.${BACKOFF_HINT}` }])
}

/** The same with a code of the second factor that the account has. The code is used up. */
export async function reauthenticateByCode(ctx: UserCtx, user: LockedUser, code: string): Promise<void> {
  const { totp_secret } = user
  const target = { kind: 'code' as const, userId: user.id }
  const attempt = await limitAttempts(ctx, { target, network: null }, async (allowed) =>
    allowed && totp_secret && (await consumeCode(ctx, { id: user.id, totp_secret }, code)) ? user : null,
  )
  if (attempt.proved) return
  await recordFailedProof(ctx, user, attempt.blocked)
  throw invalid([{ field: 'code', message: `Codul nu este corect sau a fost deja folosit.${BACKOFF_HINT}` }])
}

const BACKOFF_HINT = ' După mai multe greșeli la rând, așteaptă puțin înainte să încerci din nou.'

async function recordFailedProof(ctx: UserCtx, user: LockedUser, blocked: boolean): Promise<void> {
  const subject = { type: 'user', id: user.id }
  await recordAudit(ctx, { action: 'account.proof-failed', subject, outcome: 'failed' })
  if (blocked) await notifyAccountBlocked(ctx, user)
}

/**
 * Holds the account until the end of the transaction. CONFLICT where its password or second factor has changed since it
 * was proved, or it is suspended: proving takes a while.
 */
export async function lockIfUnchanged(tx: UserCtx, authenticated: LockedUser): Promise<void> {
  const user = await lockUser(tx.db, authenticated.id)
  if (user?.effective_status !== 'active' || user.version !== authenticated.version) throw conflict('account')
}

/** The account of the person who is signed in. */
export async function getOwnUser({ db, actor }: UserCtx): Promise<LockedUser> {
  const user = await selectUser(db, actor.id)
  if (!user) throw new Error('a session without its account')
  return user
}
