import { allowOwnWorkers } from '../../../builds/worker-policy.ts'

export type HashRequest = { id: string; file: File }

/**
 * `read` in bytes, `sha256` in hex; `unreadable`: the file was moved, deleted or changed since it was chosen.
 */
export type HashReport =
  | { id: string; kind: 'progress'; read: number }
  | { id: string; kind: 'done'; sha256: string }
  | { id: string; kind: 'unreadable' }

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
  /** The script of the worker did not load, or the worker ended: a retry starts another one. */
  const fail = () => {
    const failed = [...pending]
    stop()
    for (const id of failed) onReport({ id, kind: 'unreadable' })
  }
  const startWorker = () => {
    allowOwnWorkers()
    const started = new Worker(new URL('./hash-file.worker.ts', import.meta.url), { type: 'module' })
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
