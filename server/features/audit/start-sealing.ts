import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { isDatabaseAway } from '../../platform/database.ts'
import { errorFacts } from '../../platform/log.ts'
import { anchorChain } from './anchor-chain.ts'
import { sealEntries } from './seal-entries.ts'

/** Milliseconds between two looks for entries, and at least between two anchors. */
const EVERY = 2_000
const ANCHOR_EVERY = 60 * 1000

/**
 * Seals what is written into the journal, seconds later, and anchors the chain with them, once a minute at most, for as long as the server runs.
 * A failure is tried again at the next look; `stop` resolves when the batch under way is done.
 */
export function startSealing(ctx: Ctx): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let anchorAt = 0
  /** At the start nobody knows whether the last server came to anchor what it had sealed. */
  let isAhead = true
  const look = async () => {
    if ((await sealEntries(ctx)) > 0) isAhead = true
    if (!isAhead || Date.now() < anchorAt) return
    await anchorChain(ctx)
    isAhead = false
    anchorAt = Date.now() + ANCHOR_EVERY
  }
  const run = async () => {
    while (!signal.aborted) {
      await look().catch((error: unknown) =>
        ctx.services.log[isDatabaseAway(error) ? 'warn' : 'error'](
          'audit chain: not sealed',
          errorFacts(error),
        ),
      )
      await pause(EVERY, undefined, { signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}
