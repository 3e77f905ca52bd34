import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { isDatabaseAway } from '../../platform/database.ts'
import { errorFacts } from '../../platform/log.ts'
import { anchorChain } from './anchor-chain.ts'
import { sealEntries } from './seal-entries.ts'

/** Milliseconds between two looks for entries, and between two anchors. */
const EVERY = 2_000
const ANCHOR_EVERY = 60 * 60 * 1000

/**
 * Seals what is written into the journal, seconds later, and anchors the chain every hour, for as long as the server runs.
 * A failure is tried again at the next look; `stop` resolves when the batch under way is done.
 */
export function startSealing(ctx: Pick<Ctx, 'db' | 'anchors' | 'log'>): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let anchorAt = 0
  const look = async () => {
    await sealEntries(ctx)
    if (Date.now() < anchorAt) return
    await anchorChain(ctx)
    anchorAt = Date.now() + ANCHOR_EVERY
  }
  const run = async () => {
    while (!signal.aborted) {
      await look().catch((error: unknown) =>
        ctx.log[isDatabaseAway(error) ? 'warn' : 'error']('audit chain: not sealed', errorFacts(error)),
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
