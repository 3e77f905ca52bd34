import type { UserCtx } from '../../../context.ts'
import { conflict, invalid, invalidState } from '../../../errors.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { type LockedUser, lockUser, selectUser } from '../accounts.db.ts'
import { limitAttempts } from '../throttle/attempt-limit.ts'
import { notifyAccountBlocked } from '../throttle/notify-account-blocked.ts'
import { consumeCode } from './consume-code.ts'
import { verifyPassword } from './password.ts'

/**
 * Verifies the password of the signed-in user before a sensitive change, so that a session left open is not
 * enough. Returns the account as it was when the password matched; the change must then call
 * `lockIfUnchanged`. Throws BAD_USER_INPUT on `field` for a wrong password, which is rate-limited and
 * recorded in the audit log.
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

/**
 * Verifies a code of the account's second factor before a sensitive change and consumes it. Throws
 * BAD_USER_INPUT on `code` for a wrong or used code, which is rate-limited and recorded in the audit log.
 */
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
 * Locks the account until the transaction ends. Throws CONFLICT if the account was changed after the password
 * or code was verified, or is not effectively active.
 */
export async function lockIfUnchanged(tx: UserCtx, authenticated: LockedUser): Promise<void> {
  const user = await lockUser(tx.db, authenticated.id)
  if (user?.effective_status !== 'active' || user.version !== authenticated.version) throw conflict('account')
}

/** Returns the account of the signed-in user. */
export async function getOwnUser({ db, actor }: UserCtx): Promise<LockedUser> {
  const user = await selectUser(db, actor.id)
  if (!user) throw new Error('the account of a session is missing')
  return user
}

export const noSecondFactor = () =>
  invalidState('there is no second factor', 'Al doilea factor nu este activ.')
