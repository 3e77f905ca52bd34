import { type Ctx, inTransaction } from '../../context.ts'
import { hashToken } from '../../platform/keys.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { lockUser } from './accounts.db.ts'
import { enableSecondFactor } from './enable-second-factor.ts'
import { limitTries } from './limit-tries.ts'
import { type OpenedSession, openSession } from './open-session.ts'
import { type PendingRow, selectPendingSignIn, takePendingSignIn } from './second-factor.db.ts'
import { takeCode } from './take-code.ts'
import { findTotpStep } from './totp.ts'
import { warnOfGuessing } from './warn-of-guessing.ts'

export type Completion =
  | { session: OpenedSession }
  | { refused: 'second-factor-wrong' | 'second-factor-expired' }

const WRONG: Completion = { refused: 'second-factor-wrong' }
const EXPIRED: Completion = { refused: 'second-factor-expired' }

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
  const pending = input.pendingToken
    ? await selectPendingSignIn(ctx.db, hashToken(input.pendingToken), ctx.now)
    : undefined
  if (!pending) return EXPIRED
  const { totp_secret, new_totp_secret } = pending
  if (totp_secret) return verify(ctx, { ...pending, totp_secret }, input)
  return new_totp_secret ? setUp(ctx, pending, ctx.seals.open(new_totp_secret), input) : EXPIRED
}

async function verify(
  ctx: Ctx,
  pending: PendingRow & { totp_secret: Buffer },
  input: Try,
): Promise<Completion> {
  const { network, code } = input
  const guessed = { kind: 'code' as const, userId: pending.id }
  const tried = await limitTries(ctx, { guessed, network }, async (allowed) => {
    if (!allowed) return null
    return inTransaction(ctx, async (tx) => {
      await lockUser(tx.db, pending.id)
      return (await takeCode(tx, pending, code)) ? open(tx, pending, input) : null
    })
  })
  if (tried.proved) return tried.proved
  await recordFailure(ctx, pending)
  if (tried.blocked) await warnOfGuessing(ctx, pending)
  return WRONG
}

/** The person was shown the secret, so there is nothing to guess and nothing to slow down. */
async function setUp(ctx: Ctx, pending: PendingRow, secret: string, input: Try): Promise<Completion> {
  const step = findTotpStep(secret, input.code.replace(/\s/g, ''), ctx.now)
  if (step === null) {
    await recordFailure(ctx, pending)
    return WRONG
  }
  return inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx.db, pending.id)
    // Another browser was faster with another secret: that one holds.
    if (user?.totp_secret) return EXPIRED
    const opened = await open(tx, pending, input)
    if ('session' in opened) {
      await enableSecondFactor({ ...tx, actor: opened.session.actor }, { secret, step })
    }
    return opened
  })
}

/** Nothing where the pending sign-in was used up, or the account suspended, this very moment. */
async function open(tx: Ctx, pending: PendingRow, { formerToken }: Try): Promise<Completion> {
  if (!(await takePendingSignIn(tx.db, pending.pending_id))) return EXPIRED
  const session = await openSession(tx, pending.id, { provider: pending.provider, formerToken })
  return session ? { session } : EXPIRED
}

const recordFailure = (ctx: Ctx, { id }: PendingRow) =>
  recordAudit(ctx, {
    action: 'session.sign-in-failed',
    subject: { type: 'user', id },
    outcome: 'failed',
  })
