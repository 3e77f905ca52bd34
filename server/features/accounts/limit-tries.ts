import type { Ctx } from '../../context.ts'
import type { Db } from '../../platform/database.ts'
import { hashToken } from '../../platform/keys.ts'
import {
  countAccountTry,
  countNetworkTry,
  deleteFullThrottle,
  deleteThrottle,
  uncountTry,
} from './sign-in-throttle.db.ts'
import { takeTurn } from './take-turn.ts'

/**
 * Five wrong ones are a person's; then each further one waits for a second, two, four, up to a quarter of an hour, and
 * after a hundred in a row none is taken (NIST SP 800-63B-4, 3.2.2). `longest` in seconds.
 */
const ACCOUNT = { free: 5, most: 100, longest: 15 * 60 }
/** A whole institution may sit behind one address: a hundred failures at once, then one every ten seconds. */
const NETWORK = { free: 100, refill: 10 }

export const MOST_FAILURES = ACCOUNT.most

/**
 * Whose guesses are counted together: the password of an address (whether or not it has an account), the codes of the
 * second factor, the password as a signed-in person is asked for it again.
 */
export type Guessed =
  | { kind: 'password'; email: string }
  | { kind: 'code' | 'current-password'; userId: string }

const accountKey = (guessed: Guessed): Buffer =>
  hashToken(`${guessed.kind}:${'email' in guessed ? guessed.email : guessed.userId}`)
const networkKey = (network: string): Buffer => hashToken(`network:${network}`)

export type FailedTry = {
  proved: null
  /** The network is out of tries: nothing was compared. */
  networkSpent: boolean
  /** This very failure was the last one that the account takes. */
  blocked: boolean
}
export type TryOutcome<T> = { proved: T } | FailedTry

/**
 * Runs one try at guessing something. It is counted as failed first and taken back when it was right, so that tries at
 * once do not slip past each other; in the database, so that neither a restart nor a second server forgets. Those at one
 * account take turns, so that right ones at once do not count as each other's failures. `prove` runs also when the account
 * is `allowed` no more, for whoever must not be told by the time it takes, but then its word does not count; not for a
 * network that is out of tries, which says nothing of any account. `network`: where the try comes from, null where that is
 * not counted. TOO_MANY where too many are under way at once.
 */
export async function limitTries<T>(
  ctx: Ctx,
  { guessed, network }: { guessed: Guessed | null; network: string | null },
  prove: (allowed: boolean) => Promise<T | null>,
): Promise<TryOutcome<T>> {
  const ofNetwork = network === null ? null : networkKey(network)
  if (ofNetwork && !(await countNetworkTry(ctx.db, ofNetwork, ctx.now, NETWORK)))
    return { proved: null, networkSpent: true, blocked: false }
  const uncount = async () => {
    if (ofNetwork) await uncountTry(ctx.db, ofNetwork)
  }
  try {
    const outcome = guessed
      ? await limitAccountTries(ctx, accountKey(guessed), prove)
      : toOutcome(await prove(true))
    if (outcome.proved !== null) await uncount()
    return outcome
  } catch (error) {
    await uncount()
    throw error
  }
}

const limitAccountTries = <T>(
  ctx: Ctx,
  key: Buffer,
  prove: (allowed: boolean) => Promise<T | null>,
): Promise<TryOutcome<T>> =>
  takeTurn(key.toString('hex'), async () => {
    const failures = await countAccountTry(ctx.db, key, ctx.now, ACCOUNT)
    if (failures === null) {
      await prove(false)
      return toOutcome<T>(null)
    }
    const proved = await prove(true).catch(async (error: unknown) => {
      await uncountTry(ctx.db, key)
      throw error
    })
    if (proved !== null) await deleteThrottle(ctx.db, key)
    return toOutcome(proved, failures === ACCOUNT.most)
  })

const toOutcome = <T>(proved: T | null, blocked = false): TryOutcome<T> =>
  proved === null ? { proved: null, networkSpent: false, blocked } : { proved }

/** A new password: what was guessed at the old one no longer counts. */
export async function forgetGuesses(db: Db, user: { id: string; email: string }): Promise<void> {
  await deleteThrottle(db, accountKey({ kind: 'password', email: user.email }))
  await deleteThrottle(db, accountKey({ kind: 'current-password', userId: user.id }))
  // Codes were guessed by somebody who knew the old password; below the limit they still slow that down.
  await deleteFullThrottle(db, accountKey({ kind: 'code', userId: user.id }), ACCOUNT.most)
}
