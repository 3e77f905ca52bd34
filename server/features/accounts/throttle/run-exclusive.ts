import { UserError } from '../../../errors.ts'

/** Calls per key that may be running or waiting. */
const MAX_QUEUE_LENGTH = 50

const queues = new Map<string, { length: number; last: Promise<unknown> }>()

/**
 * Runs the calls with one key one at a time, in order; calls with different keys run concurrently. Throws
 * TOO_MANY if the queue of the key is full.
 */
export async function runExclusive<T>(key: string, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(key) ?? { length: 0, last: Promise.resolve() }
  if (queue.length >= MAX_QUEUE_LENGTH) throw tooManyConcurrent()
  queues.set(key, queue)
  queue.length += 1
  const run = queue.last.then(work)
  queue.last = run.catch(() => undefined)
  try {
    return await run
  } finally {
    queue.length -= 1
    if (queue.length === 0) queues.delete(key)
  }
}

export const tooManyConcurrent = () =>
  new UserError(
    'TOO_MANY',
    'too many passwords to check at once',
    'Prea multe autentificări deodată. Încearcă din nou.',
  )
