import { errorFields, type Log } from './log.ts'

const WINDOW_MS = 60_000

/** What was folded: how many calls, and their details, each once. */
export type Folded = { count: number; details: readonly string[] }

export type Folding = {
  /**
   * Calls `write` at once for the first call with a key. Further calls with it are counted, and the `write` of
   * the last one is called with their count a minute later. Rejects when the call at once fails.
   */
  add(key: string, details: readonly string[], write: (folded: Folded) => Promise<void>): Promise<void>
  /** Writes what has been counted so far. */
  flush(): Promise<void>
  /** Flushes; a later call is written at once. */
  stop(): Promise<void>
}

type Window = {
  count: number
  details: Set<string>
  write: (folded: Folded) => Promise<void>
  timer: NodeJS.Timeout
}

/**
 * Folds repeated records into one a minute for each key. What could not be written stays counted until the
 * next minute. Each server process folds for itself.
 */
export function createFolding(log: Log): Folding {
  const windows = new Map<string, Window>()
  let isStopped = false

  const flushWindow = async (window: Window): Promise<boolean> => {
    const { count, details } = window
    if (count === 0) return false
    window.count = 0
    window.details = new Set()
    try {
      await window.write({ count, details: [...details] })
    } catch (error) {
      window.count += count
      window.details = details.union(window.details)
      log.error('folded records not written', { count: window.count, ...errorFields(error) })
    }
    return true
  }
  const startTimer = (key: string): NodeJS.Timeout =>
    setTimeout(async () => {
      const window = windows.get(key)
      if (!window) return
      // What was written now is the record of the minute that begins.
      if (await flushWindow(window)) window.timer = startTimer(key)
      else windows.delete(key)
    }, WINDOW_MS).unref()

  const flush = async () => {
    await Promise.all([...windows.values()].map(flushWindow))
  }
  return {
    add: async (key, details, write) => {
      const known = windows.get(key)
      if (known && !isStopped) {
        known.count += 1
        for (const detail of details) known.details.add(detail)
        known.write = write
        return
      }
      const window = { count: 0, details: new Set<string>(), write, timer: startTimer(key) }
      windows.set(key, window)
      try {
        await write({ count: 1, details })
      } catch (error) {
        // Those that were counted meanwhile stay counted, and are written at the end of the minute.
        if (window.count === 0) {
          clearTimeout(window.timer)
          windows.delete(key)
        }
        throw error
      }
    },
    flush,
    stop: async () => {
      isStopped = true
      for (const { timer } of windows.values()) clearTimeout(timer)
      await flush()
    },
  }
}
