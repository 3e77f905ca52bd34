import { setTimeout as pause } from 'node:timers/promises'
import { type Ctx, inTransaction, type SystemActor } from './context.ts'
import { resumeCategoryMoves } from './features/categories/move-category-uploads.ts'
import { resumeImports } from './features/imports/resume-imports.ts'
import { resumeMessages } from './features/messages/resume-messages.ts'
import { resumeOperations } from './features/operations/run-operation.ts'
import { retryChecks } from './features/uploads/inspection/retry-checks.ts'
import { limitHousekeeping } from './platform/database/database.ts'
import { errorFields } from './platform/log.ts'

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000

type Task = { name: string; run(ctx: Ctx<SystemActor>): Promise<void> }

/**
 * Runs the tasks of each server start that no request waits for, above all what the last server left unfinished. A task that
 * fails is logged and runs again after growing pauses, until it succeeds. `done` resolves when all tasks have succeeded or
 * were stopped; `stop` ends the pauses and resolves when no task runs.
 */
export function startHousekeeping(createContext: () => Ctx<SystemActor>): {
  done: Promise<unknown>
  stop(): Promise<void>
} {
  const startedAt = new Date()
  const tasks: Task[] = [
    { name: 'retry checks', run: (ctx) => retryChecks(ctx, startedAt) },
    { name: 'resume messages', run: resumeMessages },
    { name: 'resume operations', run: resumeOperations },
    { name: 'resume imports', run: resumeImports },
    { name: 'resume category moves', run: resumeCategoryMoves },
    {
      name: 'read missing facts',
      run: (ctx) => ctx.services.jobs.enqueue(ctx.db, 'read-missing-facts', {}),
    },
    { name: 'index names', run: (ctx) => ctx.services.jobs.enqueue(ctx.db, 'index-names', {}) },
  ]
  const stopping = new AbortController()
  const done = Promise.all(tasks.map((task) => runUntilDone(task, createContext, stopping.signal)))
  return {
    done,
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

async function runUntilDone(
  { name, run }: Task,
  createContext: () => Ctx<SystemActor>,
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    const ctx = createContext()
    try {
      await inTransaction(ctx, async (tx) => {
        await limitHousekeeping(tx.db)
        await run(tx)
      })
      return
    } catch (error) {
      ctx.services.log.warn('housekeeping: failed, will run again', {
        task: name,
        pauseMs,
        ...errorFields(error),
      })
    }
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}
