import { setTimeout as pause } from 'node:timers/promises'
import type { Ctx } from '../../context.ts'
import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { errorFields } from '../../platform/log.ts'
import { appendToChain } from './append-to-chain.ts'
import { writeCheckpoint } from './write-checkpoint.ts'

/** How often new entries are looked for, and the minimum time between two checkpoints. */
const POLL_INTERVAL_MS = 2_000
const CHECKPOINT_INTERVAL_MS = 60 * 1000

/**
 * Appends new audit entries to the chain seconds after they are written and writes a checkpoint at most once
 * a minute, until stopped. A failure is logged and retried at the next interval; `stop` resolves when the
 * current batch is done.
 */
export function startChainWriter(ctx: Ctx): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  let nextCheckpointAt = 0
  /** True at the start, because the last server may have stopped before it wrote its checkpoint. */
  let isCheckpointDue = true
  const appendAndCheckpoint = async () => {
    if ((await appendToChain(ctx)) > 0) isCheckpointDue = true
    if (!isCheckpointDue || Date.now() < nextCheckpointAt) return
    await writeCheckpoint(ctx)
    isCheckpointDue = false
    nextCheckpointAt = Date.now() + CHECKPOINT_INTERVAL_MS
  }
  const run = async () => {
    while (!signal.aborted) {
      await appendAndCheckpoint().catch((error: unknown) =>
        ctx.services.log[isDatabaseUnavailable(error) ? 'warn' : 'error'](
          'audit chain: entries not appended',
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
