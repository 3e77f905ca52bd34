import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import type { RoleConnections } from '../database/roles.ts'
import { errorFields, type Log } from '../log.ts'

/** The connections of those who answer requests: a worker never gets that of the database's owner. */
export type WorkerConnections = Omit<RoleConnections, 'owner'>

/**
 * So that a worker that fails at each start does not occupy the machine, and one that a signal to all processes has ended before
 * the main process stops its workers is not started again.
 */
const RESTART_PAUSE_MS = 500
/** Longer than a worker gives its running requests. */
const STOP_TIMEOUT_MS = 20_000

export type Workers = {
  /** Resolves when all workers listen; rejects when one ends before. */
  listening: Promise<unknown>
  /** Stops the workers, which end their requests, and waits for them. */
  stop(): Promise<void>
}

/**
 * Starts workers: processes of the same program that share its port. Connections are given to them in turn. One that dies
 * is started again, unless everything ends; all of them end when this process does, also when it is killed.
 */
export function startWorkers(
  count: number,
  connections: WorkerConnections,
  log: Log,
  isEnding: () => boolean,
): Workers {
  let isStopping = false
  const start = (): Worker => {
    const worker = cluster.fork()
    worker.on('error', (error) => log.warn('worker: no connection', errorFields(error)))
    worker.send(connections)
    worker.once('exit', (code, signal) => {
      setTimeout(() => {
        if (isStopping || isEnding()) return
        log.error('worker: ended, starts again', { pid: worker.process.pid, code, signal })
        start()
      }, RESTART_PAUSE_MS).unref()
    })
    return worker
  }
  const listening = Promise.all(Array.from({ length: count }, start).map(untilListening))
  return {
    listening,
    stop: async () => {
      isStopping = true
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && stopWorker(worker)))
    },
  }
}

/** Returns the connections that the main process gives to this worker. */
export async function receiveConnections(): Promise<WorkerConnections> {
  const [connections] = await once(process, 'message')
  return connections
}

async function untilListening(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit').then(() => {
    throw new Error('a worker ended before it listened; its own message says why')
  })
  await Promise.race([once(worker, 'listening'), ended])
}

async function stopWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT_MS)
  worker.process.kill('SIGTERM')
  await ended
  clearTimeout(timer)
}
