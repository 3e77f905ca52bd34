import { findOriginal } from './duplicates.ts'
import type { HashReport } from './hash-file.worker.ts'
import { type Fingerprinted, UNREADABLE_MESSAGE } from './new-upload-file.ts'
import type { UploadFileStore } from './upload-file-store.ts'

/**
 * Shows in `store` what the worker reports of a file. Returns the file once its fingerprint is known and no
 * other chosen file has the same content; null otherwise, also for a file that was removed since.
 */
export function applyHashReport(store: UploadFileStore, report: HashReport): Fingerprinted | null {
  const file = store.find(report.id)
  if (file?.status !== 'hashing') return null
  const { id } = file
  if (report.kind === 'progress') {
    store.change(id, { done: report.read })
    return null
  }
  if (report.kind === 'unreadable') {
    store.change(id, { status: 'failed', reason: UNREADABLE_MESSAGE })
    return null
  }
  const { sha256 } = report
  const original = findOriginal(store.getFiles(), { ...file, sha256 })
  if (original) {
    const reason = `Același conținut ca „${original.name}”.`
    store.change(id, { status: 'duplicate', sha256, done: 0, reason })
    return null
  }
  store.change(id, { status: 'ready', sha256, done: 0 })
  return { ...file, sha256 }
}
