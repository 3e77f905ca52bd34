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
  await reauthenticate(ctx, user, 'current-password', field, 'Parola nu este corectă.', () =>
    verifyPassword(password, user.password_hash, user.id),
  )
  return user
}

/**
 * Verifies a code of the account's second factor before a sensitive change and consumes it. Throws
 * BAD_USER_INPUT on `code` for a wrong or used code, which is rate-limited and recorded in the audit log.
 */
export const reauthenticateByCode = (ctx: UserCtx, user: LockedUser, code: string): Promise<void> =>
  reauthenticate(
    ctx,
    user,
    'code',
    'code',
    'Codul nu este corect sau a fost deja folosit.',
    async (allowed) => (allowed ? consumeCode(ctx, user, code) : false),
  )

/**
 * Runs one attempt of the signed-in user to prove something, counted under `kind`. Throws BAD_USER_INPUT on `field` with
 * `message` if it fails, which is recorded in the audit log.
 */
export async function reauthenticate(
  ctx: UserCtx,
  user: LockedUser,
  kind: 'code' | 'current-password',
  field: string,
  message: string,
  verify: (allowed: boolean) => Promise<boolean>,
): Promise<void> {
  const target = { kind, userId: user.id }
  const attempt = await limitAttempts(ctx, { target, network: null }, async (allowed) =>
    (await verify(allowed)) ? user : null,
  )
  if (attempt.proved) return
  await recordAudit(ctx, {
    action: 'account.proof-failed',
    subject: { type: 'user', id: user.id },
    outcome: 'failed',
  })
  if (attempt.blocked) await notifyAccountBlocked(ctx, user)
  throw invalid([{ field, message: `${message}${BACKOFF_HINT}` }])
}

const BACKOFF_HINT = ' După mai multe greșeli la rând urmează o pauză de câteva minute.'

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
