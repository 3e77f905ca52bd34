import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import type { Db } from '../../../platform/database/database.ts'
import { runExclusive } from './run-exclusive.ts'
import {
  countAccountAttempt,
  countNetworkAttempt,
  deleteFullThrottle,
  deleteThrottle,
  uncountAttempt,
} from './sign-in-throttle.db.ts'

/**
 * Five wrong ones are a person's; then each further one waits for a second, two, four, up to a quarter of an hour, and
 * after a hundred in a row none is taken (NIST SP 800-63B-4, 3.2.2). `longest` in seconds.
 */
const ACCOUNT_LIMITS = { free: 5, most: 100, longest: 15 * 60 }
/** A whole institution may sit behind one address: a hundred failures at once, then one every ten seconds. */
const NETWORK_LIMITS = { free: 100, refill: 10 }

export const MAX_FAILURES = ACCOUNT_LIMITS.most

/**
 * Whose guesses are counted together: the password of an address (whether or not it has an account), the codes of the
 * second factor, the password as a signed-in person is asked for it again.
 */
export type AttemptTarget =
  | { kind: 'password'; email: string }
  | { kind: 'code' | 'current-password'; userId: string }

const accountKey = (target: AttemptTarget): Buffer =>
  hashToken(`${target.kind}:${'email' in target ? target.email : target.userId}`)
const networkKey = (network: string): Buffer => hashToken(`network:${network}`)

export type FailedAttempt = {
  proved: null
  /** The network is out of tries: nothing was compared. */
  networkBlocked: boolean
  /** This very failure was the last one that the account takes. */
  blocked: boolean
}
export type AttemptOutcome<T> = { proved: T } | FailedAttempt

/**
 * Runs one try at guessing something. It is counted as failed first and taken back when it was right, so that tries at
 * once do not slip past each other; in the database, so that neither a restart nor a second server forgets. Those at one
 * account take turns, so that right ones at once do not count as each other's failures. `prove` runs also when the account
 * is `allowed` no more, for whoever must not be told by the time it takes, but then its word does not count; not for a
 * network that is out of tries, which says nothing of any account. `network`: where the try comes from, null where that is
 * not counted. TOO_MANY where too many are under way at once.
 */
export async function limitAttempts<T>(
  ctx: Ctx,
  { target, network }: { target: AttemptTarget | null; network: string | null },
  verify: (allowed: boolean) => Promise<T | null>,
): Promise<AttemptOutcome<T>> {
  const networkHash = network === null ? null : networkKey(network)
  if (networkHash && !(await countNetworkAttempt(ctx.db, networkHash, ctx.now, NETWORK_LIMITS)))
    return { proved: null, networkBlocked: true, blocked: false }
  const uncount = async () => {
    if (networkHash) await uncountAttempt(ctx.db, networkHash)
  }
  try {
    const outcome = target
      ? await limitAccountAttempts(ctx, accountKey(target), verify)
      : toOutcome(await verify(true))
    if (outcome.proved !== null) await uncount()
    return outcome
  } catch (error) {
    await uncount()
    throw error
  }
}

const limitAccountAttempts = <T>(
  ctx: Ctx,
  key: Buffer,
  verify: (allowed: boolean) => Promise<T | null>,
): Promise<AttemptOutcome<T>> =>
  runExclusive(key.toString('hex'), async () => {
    const failures = await countAccountAttempt(ctx.db, key, ctx.now, ACCOUNT_LIMITS)
    if (failures === null) {
      await verify(false)
      return toOutcome<T>(null)
    }
    const proved = await verify(true).catch(async (error: unknown) => {
      await uncountAttempt(ctx.db, key)
      throw error
    })
    if (proved !== null) await deleteThrottle(ctx.db, key)
    return toOutcome(proved, failures === ACCOUNT_LIMITS.most)
  })

const toOutcome = <T>(proved: T | null, blocked = false): AttemptOutcome<T> =>
  proved === null ? { proved: null, networkBlocked: false, blocked } : { proved }

/** A new password: what was guessed at the old one no longer counts. */
export async function resetFailedAttempts(db: Db, user: { id: string; email: string }): Promise<void> {
  await deleteThrottle(db, accountKey({ kind: 'password', email: user.email }))
  await deleteThrottle(db, accountKey({ kind: 'current-password', userId: user.id }))
  // Codes were guessed by somebody who knew the old password; below the limit they still slow that down.
  await deleteFullThrottle(db, accountKey({ kind: 'code', userId: user.id }), ACCOUNT_LIMITS.most)
}
