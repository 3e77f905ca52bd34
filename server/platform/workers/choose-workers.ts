import { availableParallelism, totalmem } from 'node:os'

/** As many as the connections of the embedded PostgreSQL are enough for. */
export const MAX_WORKERS = 8
/** What a worker may take while many requests are answered. */
const WORKER_MEMORY = 512 * 1024 ** 2

/**
 * Returns one worker for each core but one, which the database and the jobs need, and fewer where the workers would take
 * more than half of the memory.
 */
export function chooseWorkers(cores: number, memory: number): number {
  return Math.max(1, Math.min(cores - 1, MAX_WORKERS, Math.floor(memory / 2 / WORKER_MEMORY)))
}

/** The workers of this machine, or of the container with its limit of memory. */
export const WORKERS_OF_MACHINE = chooseWorkers(
  availableParallelism(),
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
)
