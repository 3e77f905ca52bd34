import { type Ctx, inTransaction } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { lockUser } from '../accounts.db.ts'
import { consumeCode } from '../credentials/consume-code.ts'
import { enableSecondFactor } from '../credentials/enable-second-factor.ts'
import {
  consumePendingSignIn,
  type PendingRow,
  selectPendingSignIn,
} from '../credentials/second-factor.db.ts'
import { findTotpStep } from '../credentials/totp.ts'
import { usePasskey } from '../passkeys/ceremony.ts'
import { pendingBinding } from '../passkeys/challenge.ts'
import { type OpenedSession, openSession } from '../sessions/open-session.ts'
import { type AttemptSource, limitAttempts } from '../throttle/attempt-limit.ts'
import { notifyAccountBlocked } from '../throttle/notify-account-blocked.ts'
import { recordFailedSignIn } from '../throttle/record-failed-sign-in.ts'

export type Completion =
  | { session: OpenedSession }
  | { rejection: 'second-factor-wrong' | 'second-factor-expired' }

const WRONG_CODE = { rejection: 'second-factor-wrong' } as const
const SIGN_IN_EXPIRED = { rejection: 'second-factor-expired' } as const

/** `passkey`: the browser's response to `beginPasskeySignIn`; null for a proof by code. */
type SignInAttempt = { code: string; passkey: unknown; formerToken: string | null } & AttemptSource

/**
 * Completes a pending sign-in with a passkey or a code of the account's second factor, or with the first code of a new
 * factor that the role requires, which is then enabled. Opens a session, or records a failed attempt in the
 * audit log.
 */
export async function completeSignIn(
  ctx: Ctx,
  input: SignInAttempt & { pendingToken: string | null },
): Promise<Completion> {
  const { network, device } = input
  const tokenHash = input.pendingToken === null ? null : hashToken(input.pendingToken)
  const pending = tokenHash ? await selectPendingSignIn(ctx.db, tokenHash, ctx.now) : undefined
  // Attempts with a new factor are not limited: the user was shown its secret, so there is nothing to guess.
  const target = pending && hasFactor(pending) ? { kind: 'code' as const, userId: pending.id } : null
  let failed: Completion = pending ? WRONG_CODE : SIGN_IN_EXPIRED
  const userId = pending?.id ?? null
  const attempt = await limitAttempts(ctx, { target, network, device, userId }, async (allowed) => {
    if (!allowed || !pending || !tokenHash) return null
    const completion = await inTransaction(ctx, async (tx) => {
      // Every deletion of a pending sign-in locks the account first, so after this lock it can be read
      // reliably.
      await lockUser(tx.db, pending.id)
      const current = await selectPendingSignIn(tx.db, tokenHash, tx.now)
      return current ? complete(tx, current, input) : SIGN_IN_EXPIRED
    })
    if ('session' in completion) return completion
    failed = completion
    return null
  })
  if (attempt.proved) return attempt.proved
  await recordFailedSignIn(ctx, attempt, { userId, network })
  if (pending && attempt.blocked) await notifyAccountBlocked(ctx, pending)
  return failed
}

async function complete(tx: Ctx, pending: PendingRow, input: SignInAttempt): Promise<Completion> {
  const { new_totp_secret } = pending
  if (hasFactor(pending)) return (await isProved(tx, pending, input)) ? open(tx, pending, input) : WRONG_CODE
  if (!new_totp_secret) return SIGN_IN_EXPIRED
  const secret = tx.services.encryption.decrypt(new_totp_secret)
  const step = findTotpStep(secret, input.code.replace(/\s/g, ''), tx.now)
  if (step === null) return WRONG_CODE
  const opened = await open(tx, pending, input)
  if ('session' in opened) await enableSecondFactor({ ...tx, actor: opened.session.actor }, { secret, step })
  return opened
}

const hasFactor = ({ totp_secret, has_passkey }: PendingRow): boolean => totp_secret !== null || has_passkey

async function isProved(tx: Ctx, pending: PendingRow, { code, passkey }: SignInAttempt): Promise<boolean> {
  if (passkey === null) return consumeCode(tx, pending, code)
  const use = { purpose: 'second-factor', binding: pendingBinding(pending.pending_id) } as const
  return (await usePasskey(tx, use, passkey))?.user_id === pending.id
}

async function open(
  tx: Ctx,
  pending: PendingRow,
  { formerToken: previousToken }: SignInAttempt,
): Promise<Completion> {
  if (!(await consumePendingSignIn(tx.db, pending.pending_id))) return SIGN_IN_EXPIRED
  const session = await openSession(tx, pending.id, {
    provider: pending.provider,
    previousToken,
    shared: pending.shared,
  })
  return session ? { session } : SIGN_IN_EXPIRED
}
