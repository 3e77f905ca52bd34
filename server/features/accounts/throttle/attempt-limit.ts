import type { Ctx } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import type { Db } from '../../../platform/database/database.ts'
import { runExclusive } from './run-exclusive.ts'
import {
  countAccountAttempt,
  countNetworkAttempt,
  deleteFullThrottle,
  deleteThrottle,
  isThrottleFull,
  removeCountedAttempt,
} from './sign-in-throttle.db.ts'

/**
 * `freeFailures` failures in a row cost no wait; each further attempt waits 1, 2, 4 … seconds, at most
 * `maxWaitSeconds`; after `maxFailures` failures in a row none is accepted (NIST SP 800-63B-4, 3.2.2).
 */
const ACCOUNT_LIMITS = { freeFailures: 5, maxFailures: 100, maxWaitSeconds: 15 * 60 }
/**
 * Many users of an institution may share one address: a hundred failures at once, then one every ten seconds.
 */
const NETWORK_LIMITS = { burst: 100, refillSeconds: 10 }

export const MAX_FAILURES = ACCOUNT_LIMITS.maxFailures

/**
 * What attempts are counted by: the password of an address (whether or not it has an account), the
 * second-factor codes of an account, or the password of a signed-in user who must enter it again.
 */
export type AttemptTarget =
  | { kind: 'password'; email: string }
  | { kind: 'code' | 'current-password'; userId: string }

/** A browser with a valid device cookie, and the accounts that have signed in there. */
export type KnownDevice = { id: string; userIds: readonly string[] }

/**
 * What a request attempts a sign-in from: its network, which is null without a socket, and the browser if it
 * is known.
 */
export type AttemptSource = { network: string | null; device: KnownDevice | null }

const accountKey = (target: AttemptTarget, deviceId?: string): Buffer =>
  hashToken(
    `${deviceId ? `device:${deviceId}:` : ''}${target.kind}:${'email' in target ? target.email : target.userId}`,
  )
const networkKey = (network: string): Buffer => hashToken(`network:${network}`)

/**
 * Returns the device's id if the account has signed in on it before: attempts from there are counted apart
 * from all others. Null once the device has failed `maxFailures` times in a row: it counts as unknown.
 */
async function findKnownDevice(
  ctx: Ctx,
  device: KnownDevice | null,
  userId: string | null,
  target: AttemptTarget | null,
): Promise<string | null> {
  if (!device || !userId || !target || !device.userIds.includes(userId)) return null
  const key = accountKey(target, device.id)
  return (await isThrottleFull(ctx.db, key, ACCOUNT_LIMITS.maxFailures)) ? null : device.id
}

export type FailedAttempt = {
  proved: null
  /** Whether the network was over its limit, so that nothing was compared. */
  networkBlocked: boolean
  /** Whether this failure was the last one allowed, so that the account is now blocked. */
  blocked: boolean
}
export type AttemptOutcome<T> = { proved: T } | FailedAttempt

/** One attempt; `userId` is the account that `target` belongs to, null if there is none. */
type LimitedAttempt = {
  target: AttemptTarget | null
  network: string | null
  device?: KnownDevice | null
  userId?: string | null
}

/**
 * Runs one attempt to prove something, limited by `target` and by `network` (null: not limited by network), or
 * by counters of the device that the account is known on; `from` names the network or that device. While the
 * account is over its limit `verify` still runs, with `allowed` false and its result ignored, so that the
 * response time reveals nothing; for a network over its limit it does not run. Throws TOO_MANY if too many
 * attempts are queued.
 */
export async function limitAttempts<T>(
  ctx: Ctx,
  { target, network, device = null, userId = null }: LimitedAttempt,
  verify: (allowed: boolean, from: string | null) => Promise<T | null>,
): Promise<AttemptOutcome<T>> {
  const deviceId = await findKnownDevice(ctx, device, userId, target)
  // Counted as failed first and uncounted on success, so that concurrent attempts cannot exceed the limit.
  // Counts are in the database: they survive a restart and are shared by all servers.
  const from = deviceId ? `device:${deviceId}` : network
  const networkHash = from === null ? null : networkKey(from)
  if (networkHash && !(await countNetworkAttempt(ctx.db, networkHash, ctx.now, NETWORK_LIMITS)))
    return { proved: null, networkBlocked: true, blocked: false }
  const uncount = async () => {
    if (networkHash) await removeCountedAttempt(ctx.db, networkHash)
  }
  try {
    const outcome = target
      ? await limitAccountAttempts(ctx, target, deviceId, (allowed) => verify(allowed, from))
      : toOutcome(await verify(true, from))
    if (outcome.proved !== null) await uncount()
    return outcome
  } catch (error) {
    await uncount()
    throw error
  }
}

/** Runs attempts on one account one at a time, so that concurrent correct ones do not count as failures. */
const limitAccountAttempts = <T>(
  ctx: Ctx,
  target: AttemptTarget,
  deviceId: string | null,
  verify: (allowed: boolean) => Promise<T | null>,
): Promise<AttemptOutcome<T>> => {
  const key = accountKey(target, deviceId ?? undefined)
  return runExclusive(key.toString('hex'), async () => {
    const failures = await countAccountAttempt(ctx.db, key, ctx.now, ACCOUNT_LIMITS)
    if (failures === null) {
      await verify(false)
      return toOutcome<T>(null)
    }
    const proved = await verify(true).catch(async (error: unknown) => {
      await removeCountedAttempt(ctx.db, key)
      throw error
    })
    if (proved !== null) await deleteThrottle(ctx.db, key)
    return toOutcome(proved, deviceId === null && failures === ACCOUNT_LIMITS.maxFailures)
  })
}

const toOutcome = <T>(proved: T | null, blocked = false): AttemptOutcome<T> =>
  proved === null ? { proved: null, networkBlocked: false, blocked } : { proved }

/** Resets the failed attempts of an account that got a new password, on `device` too. */
export async function resetFailedAttempts(
  db: Db,
  user: { id: string; email: string },
  device: KnownDevice | null = null,
): Promise<void> {
  const password = { kind: 'password', email: user.email } as const
  await deleteThrottle(db, accountKey(password))
  if (device) await deleteThrottle(db, accountKey(password, device.id))
  await deleteThrottle(db, accountKey({ kind: 'current-password', userId: user.id }))
  // Code failures followed the correct old password: only a full block is lifted, fewer failures still count.
  await deleteFullThrottle(db, accountKey({ kind: 'code', userId: user.id }), ACCOUNT_LIMITS.maxFailures)
}
