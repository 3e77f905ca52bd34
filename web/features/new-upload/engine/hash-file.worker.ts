import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

export type HashRequest = { id: string; file: File }

/**
 * `read` in bytes, `sha256` in hex; `unreadable`: the file was moved, deleted or changed since it was chosen.
 */
export type HashReport =
  | { id: string; kind: 'progress'; read: number }
  | { id: string; kind: 'done'; sha256: string }
  | { id: string; kind: 'unreadable' }

/** Between two progress reports. */
const REPORT_INTERVAL_MS = 100

/** One file after another: two at once would share the same disk and core. */
let queue: Promise<void> = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  queue = queue.then(() => hashFile(data))
}

async function hashFile({ id, file }: HashRequest): Promise<void> {
  const report = (message: HashReport) => self.postMessage(message)
  try {
    const hash = sha256.create()
    let read = 0
    let reportedAt = 0
    // Safari cannot iterate a stream.
    const reader = file.stream().getReader()
    for (;;) {
      const { value: bytes } = await reader.read()
      if (!bytes) break
      hash.update(bytes)
      read += bytes.length
      if (Date.now() - reportedAt < REPORT_INTERVAL_MS) continue
      reportedAt = Date.now()
      report({ id, kind: 'progress', read })
    }
    report({ id, kind: 'done', sha256: bytesToHex(hash.digest()) })
  } catch {
    report({ id, kind: 'unreadable' })
  }
}
