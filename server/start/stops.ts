import cluster from 'node:cluster'
import { errorFields, type Log } from '../platform/log.ts'

/** Ctrl C comes twice: from the terminal, and from npm or `node --watch`. */
const REPEATED_SIGNAL_MS = 1_000

export type Stops = {
  /** Adds how something that has been started is stopped. */
  add(stop: () => Promise<unknown>): void
  /** Stops all that has been added, from the last to the first. */
  run(): Promise<void>
  /** Whether a stop signal has come. */
  hasBegun(): boolean
}

/**
 * Returns the stops of this process, which run in order at the first stop signal; a later one ends the process at once. A worker
 * ends with the main process at the latest.
 */
export function createStops(log: Log, { isDev }: { isDev: boolean }): Stops {
  const stops: (() => Promise<unknown>)[] = []
  /** When the first stop signal came, in ms; null before. */
  let signalAt: number | null = null
  const run = async () => {
    for (const stop of stops.splice(0).reverse()) {
      await stop().catch((error: unknown) => log.error('stop: a service failed', errorFields(error)))
    }
  }
  const onSignal = async (signal: NodeJS.Signals) => {
    if (signalAt !== null) {
      // A terminal and the main process both stop a worker, at times that may lie far apart.
      if (!cluster.isWorker && Date.now() - signalAt > REPEATED_SIGNAL_MS) process.exit(1)
      return
    }
    signalAt = Date.now()
    log.info('stopping', { signal })
    await run()
    process.exit(0)
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  if (isDev) {
    // The watcher's restart signal. The embedded PostgreSQL keeps running, and the next process adopts it.
    process.on('SIGUSR2', () => process.exit(0))
    // Sent when the watcher ends without a signal.
    process.on('disconnect', () => onSignal('SIGTERM'))
  }
  return { add: (stop) => stops.push(stop), run, hasBegun: () => signalAt !== null }
}
