/** Buckets kept in memory; beyond that the one that was used least recently is dropped, and is full again. */
const MAX_BUCKETS = 10_000

export type TokenBuckets = {
  /**
   * Takes one token from the bucket of this key at `now` (ms). Returns 0, or the seconds until there is one
   * again.
   */
  take(key: string, now: number): number
}

/**
 * Creates buckets of `perMinute` tokens each, which refill evenly within a minute. Each server process has its
 * own: a limit for the load of one process, not for guessing.
 */
export function createTokenBuckets(perMinute: number): TokenBuckets {
  const refillMs = 60_000 / perMinute
  /** When each bucket will be full again (ms): every taken token adds the time of one refill. */
  const fullAt = new Map<string, number>()
  return {
    take: (key, now) => {
      const from = Math.max(fullAt.get(key) ?? 0, now)
      const waitMs = from + refillMs - (now + 60_000)
      fullAt.delete(key)
      fullAt.set(key, waitMs > 0 ? from : from + refillMs)
      if (fullAt.size > MAX_BUCKETS) fullAt.delete(fullAt.keys().next().value!)
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : 0
    },
  }
}
