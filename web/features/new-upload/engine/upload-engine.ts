import { watchConnections } from './connection-watch.ts'
import { createFileHasher, type FileHasher } from './file-hasher.ts'
import { applyHashReport } from './fingerprints.ts'
import type { HashReport } from './hash-file.worker.ts'
import { canRemove, hasFingerprint, type NewUploadFileStatus, newUploadFile } from './new-upload-file.ts'
import {
  createFileSender,
  type Destination,
  FILE_REQUESTS,
  type FileRequests,
} from './transfers/file-sender.ts'
import { createUploadFileStore } from './upload-file-store.ts'

/** The statuses of files that are sent again after the engine was detached. */
const INTERRUPTED: ReadonlySet<NewUploadFileStatus> = new Set([
  'waiting',
  'connecting',
  'sending',
  'paused',
  'retrying',
])

export type UploadEngine = ReturnType<typeof createUploadEngine>

/**
 * Takes chosen files to the server: calculates their fingerprints at once and sends them from `begin` on;
 * broken connections are resumed without the user. Saves nothing in the browser: after a reload the server
 * stores how far each file got, and the same file, chosen again, is recognised by its fingerprint.
 */
export function createUploadEngine(
  requests: FileRequests = FILE_REQUESTS,
  createHasher: (onReport: (report: HashReport) => void) => FileHasher = createFileHasher,
) {
  const store = createUploadFileStore()
  const sender = createFileSender(store, requests)
  let destination: Destination | null = null
  let unwatch: (() => void) | null = null

  const hasher = createHasher((report) => {
    const file = applyHashReport(store, report)
    if (file && destination) sender.send(file, destination)
  })
  const sendReady = () => {
    if (!destination) return
    for (const file of store.getFiles().filter(hasFingerprint))
      if (file.status === 'ready') sender.send(file, destination)
  }

  return {
    subscribe: store.subscribe,
    getFiles: store.getFiles,

    add: (chosen: readonly File[]) => {
      const added = chosen.map(newUploadFile)
      store.add(added)
      for (const { id, content } of added) hasher.hash({ id, file: content })
    },

    /** Sends every file as soon as it has a fingerprint. */
    begin: (into: Destination) => {
      destination = into
      unwatch = watchConnections(store, sender)
      sendReady()
    },

    pause: sender.pause,
    resume: sender.resume,
    pauseAll: () => {
      for (const { id } of store.getFiles()) sender.pause(id)
    },
    resumeAll: () => {
      for (const { id } of store.getFiles()) sender.resume(id)
    },

    retry: (id: string) => {
      const file = store.find(id)
      if (file?.status !== 'failed' || sender.retry(id)) return
      store.change(id, { status: 'hashing', sha256: null, reason: null })
      hasher.hash({ id, file: file.content })
      sendReady()
    },

    /** Leaves a file out as soon as the server has none of it, or shows it as `kept`. */
    remove: async (id: string) => {
      const file = store.find(id)
      if (!file || !canRemove(file)) return
      await sender.remove(id, destination)
      sendReady()
    },

    /** Takes a file out of the upload that had arrived before it was continued. */
    discardReceived: async (sha256: string) => {
      if (!destination) return false
      const { uploadId, arrived } = destination
      if ((await requests.discardFile(uploadId, sha256)) !== 'deleted') return false
      const files = arrived.files.filter((file) => file.sha256 !== sha256)
      if (destination?.uploadId === uploadId) destination = { uploadId, arrived: { ...arrived, files } }
      return true
    },

    /**
     * Sends nothing until `begin` is called again; what the server has stays. Resolves to whether the server has decided about
     * all that was sent: otherwise a file may still arrive.
     */
    detach: async (): Promise<boolean> => {
      destination = null
      unwatch?.()
      const decided = await Promise.all(store.getFiles().map(({ id }) => sender.settle(id)))
      for (const { id, status } of store.getFiles()) {
        if (INTERRUPTED.has(status) || status === 'failed') sender.forget(id)
        if (INTERRUPTED.has(status)) store.change(id, { status: 'ready', done: 0, reason: null })
      }
      return !decided.includes(false)
    },

    /** Takes arrived files and their copies out of the list, whose content the server no longer has in the upload. */
    dropMoved: (isMoved: (sha256: string) => boolean) => {
      const moved = new Set(
        store.getFiles().flatMap(({ status, sha256 }) => (status === 'sent' && sha256 ? [sha256] : [])),
      )
      store.removeAll(({ sha256 }) => sha256 !== null && moved.has(sha256) && isMoved(sha256))
    },

    /** Accepts the files that arrived before they could be removed. */
    acceptKept: () => {
      for (const { id, status } of store.getFiles())
        if (status === 'kept') store.change(id, { status: 'sent', reason: null })
    },

    /** Stops all files and empties the store. The engine can then be used for another upload. */
    stop: () => {
      unwatch?.()
      unwatch = null
      hasher.stop()
      sender.stop()
      destination = null
      store.clear()
    },
  }
}
