import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import { appendToChain } from './append-to-chain.ts'
import { writeCheckpoint } from './write-checkpoint.ts'

/** Milliseconds between two looks for entries, and at least between two anchors. */
const POLL_INTERVAL_MS = 2_000
const CHECKPOINT_INTERVAL_MS = 60 * 1000

/**
 * Seals what is written into the journal, seconds later, and anchors the chain with them, once a minute at most, for as long as the server runs.
 * A failure is tried again at the next look; `stop` resolves when the batch under way is done.
 */
export function startChainWriter(ctx: Ctx): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let anchorAt = 0
  /** At the start nobody knows whether the last server came to anchor what it had sealed. */
  let isAhead = true
  const look = async () => {
    if ((await appendToChain(ctx)) > 0) isAhead = true
    if (!isAhead || Date.now() < anchorAt) return
    await writeCheckpoint(ctx)
    isAhead = false
    anchorAt = Date.now() + CHECKPOINT_INTERVAL_MS
  }
  const run = async () => {
    while (!signal.aborted) {
      await look().catch((error: unknown) =>
        ctx.services.log[isDatabaseUnavailable(error) ? 'warn' : 'error'](
          'audit chain: not sealed',
          errorFields(error),
        ),
      )
      await pause(POLL_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
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
