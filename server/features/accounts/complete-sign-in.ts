import { type Ctx, inTransaction } from '../../context.ts'
import { hashToken } from '../../platform/keys.ts'
import { lockUser } from './accounts.db.ts'
import { enableSecondFactor } from './enable-second-factor.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { recordFailedSignIn } from './record-failed-sign-in.ts'
import { type PendingRow, selectPendingSignIn, takePendingSignIn } from './second-factor.db.ts'
import { takeCode } from './take-code.ts'
import { findTotpStep } from './totp.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

export type Completion =
  | { session: OpenedSession }
  | { refused: 'second-factor-wrong' | 'second-factor-expired' }

const WRONG = { refused: 'second-factor-wrong' } as const
const EXPIRED = { refused: 'second-factor-expired' } as const

type Try = { code: string; formerToken: string | null; network: string | null }

/**
 * Whoever holds the token of a pending sign-in completes it with a code of the account's second factor, or with the first
 * code of the new one where the role must have one. Leaves a session, and in the second case the factor; or one failed
 * try in the journal.
 */
export async function completeSignIn(
  ctx: Ctx,
  input: Try & { pendingToken: string | null },
): Promise<Completion> {
  const { network } = input
  const tokenHash = input.pendingToken === null ? null : hashToken(input.pendingToken)
  const pending = tokenHash ? await selectPendingSignIn(ctx.db, tokenHash, ctx.now) : undefined
  // The secret of a new factor was shown to the person, so there is nothing to guess.
  const guessed = pending?.totp_secret ? { kind: 'code' as const, userId: pending.id } : null
  let failed: Completion = pending ? WRONG : EXPIRED
  const tried = await limitTries(ctx, { guessed, network }, async (allowed) => {
    if (!allowed || !pending || !tokenHash) return null
    const completion = await inTransaction(ctx, async (tx) => {
      // What ends a pending sign-in holds the account: it stands or is gone.
      await lockUser(tx.db, pending.id)
      const current = await selectPendingSignIn(tx.db, tokenHash, tx.now)
      return current ? complete(tx, current, input) : EXPIRED
    })
    if ('session' in completion) return completion
    failed = completion
    return null
  })
  if (tried.proved) return tried.proved
  await recordFailedSignIn(ctx, tried, { userId: pending?.id ?? null, network })
  if (pending && tried.blocked) await warnOfGuessing(ctx, pending)
  return failed
}

async function complete(tx: Ctx, pending: PendingRow, input: Try): Promise<Completion> {
  const { totp_secret, new_totp_secret } = pending
  if (totp_secret)
    return (await takeCode(tx, { ...pending, totp_secret }, input.code)) ? open(tx, pending, input) : WRONG
  if (!new_totp_secret) return EXPIRED
  const secret = tx.services.seals.open(new_totp_secret)
  const step = findTotpStep(secret, input.code.replace(/\s/g, ''), tx.now)
  if (step === null) return WRONG
  const opened = await open(tx, pending, input)
  if ('session' in opened) await enableSecondFactor({ ...tx, actor: opened.session.actor }, { secret, step })
  return opened
}

async function open(tx: Ctx, pending: PendingRow, { formerToken }: Try): Promise<Completion> {
  if (!(await takePendingSignIn(tx.db, pending.pending_id))) return EXPIRED
  const session = await openSession(tx, pending.id, { provider: pending.provider, formerToken })
  return session ? { session } : EXPIRED
}
