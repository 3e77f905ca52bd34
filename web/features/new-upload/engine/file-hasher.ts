export type HashRequest = { id: string; file: File }

/**
 * `read` in bytes, `sha256` in hex; `unreadable`: the file was moved, deleted or changed since it was chosen.
 */
export type HashReport =
  | { id: string; kind: 'progress'; read: number }
  | { id: string; kind: 'done'; sha256: string }
  | { id: string; kind: 'unreadable' }

/**
 * Calculates the SHA-256 of files in a worker, one after another. `stop` drops the files that are not done.
 */
export function createFileHasher(onReport: (report: HashReport) => void) {
  let worker: Worker | null = null
  return {
    hash: (request: HashRequest) => {
      if (!worker) {
        worker = new Worker(new URL('./hash-file.worker.ts', import.meta.url), { type: 'module' })
        worker.onmessage = ({ data }: MessageEvent<HashReport>) => onReport(data)
      }
      worker.postMessage(request)
    },
    stop: () => {
      worker?.terminate()
      worker = null
    },
  }
}
