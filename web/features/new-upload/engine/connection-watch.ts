import { isSilent, NO_RESPONSE_REASON } from './new-upload-file.ts'
import type { FileSender } from './transfers/file-sender.ts'
import type { UploadFileStore } from './upload-file-store.ts'

const WATCH_INTERVAL_MS = 5000

/**
 * Replaces connections that have been silent for too long, and resumes broken ones as soon as the network is
 * back. Returns what ends the watch.
 */
export function watchConnections(store: UploadFileStore, sender: FileSender): () => void {
  const reconnectSilent = () => {
    const now = Date.now()
    for (const file of store.getFiles().filter((each) => isSilent(each, now))) {
      sender.reconnect(file.id)
      store.change(file.id, { reason: NO_RESPONSE_REASON })
    }
  }
  const resumeBroken = () => {
    for (const { id, status, isUnreachable } of store.getFiles()) {
      if (status === 'retrying') sender.reconnect(id)
      else if (status === 'failed' && isUnreachable) sender.retry(id)
    }
  }
  const timer = setInterval(reconnectSilent, WATCH_INTERVAL_MS)
  window.addEventListener('online', resumeBroken)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', resumeBroken)
  }
}
