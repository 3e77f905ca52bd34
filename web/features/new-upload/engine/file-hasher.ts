import { allowOwnWorkers } from '../../../builds/worker-policy.ts'
import type { HashReport, HashRequest } from './hash-file.worker.ts'
// Part of the page's script, so that a network that is cut after the page was loaded does not stop it.
import HashFileWorker from './hash-file.worker.ts?worker&inline'

export type FileHasher = ReturnType<typeof createFileHasher>

/**
 * Calculates the SHA-256 of files in a worker, one after another. `stop` drops the files that are not done.
 */
export function createFileHasher(onReport: (report: HashReport) => void) {
  let worker: Worker | null = null
  /** Ids of the files that the worker has not finished. */
  const pending = new Set<string>()
  const stop = () => {
    worker?.terminate()
    worker = null
    pending.clear()
  }
  /** The worker ended: a retry starts another one. */
  const fail = () => {
    const failed = [...pending]
    stop()
    for (const id of failed) onReport({ id, kind: 'unreadable' })
  }
  const startWorker = () => {
    allowOwnWorkers()
    const started = new HashFileWorker()
    started.onmessage = ({ data }: MessageEvent<HashReport>) => {
      if (data.kind !== 'progress') pending.delete(data.id)
      onReport(data)
    }
    started.onerror = fail
    started.onmessageerror = fail
    return started
  }
  return {
    hash: (request: HashRequest) => {
      worker ??= startWorker()
      pending.add(request.id)
      worker.postMessage(request)
    },
    stop,
  }
}
