import { watchConnections } from './connection-watch.ts'
import { createFileHasher } from './file-hasher.ts'
import { createFileSender, type Destination } from './file-sender.ts'
import { applyHashReport } from './fingerprints.ts'
import { hasFingerprint, type NewUploadFile, newUploadFile } from './new-upload-file.ts'
import { createUploadFileStore } from './upload-file-store.ts'

export type UploadEngine = ReturnType<typeof createUploadEngine>

/**
 * Takes chosen files to the server: calculates their fingerprints at once and sends them from `begin` on;
 * broken connections are resumed without the user. Saves nothing in the browser: after a reload the server
 * stores how far each file got, and the same file, chosen again, is recognised by its fingerprint.
 */
export function createUploadEngine() {
  const store = createUploadFileStore()
  const sender = createFileSender(store)
  let destination: Destination | null = null
  let unwatch: (() => void) | null = null

  const hasher = createFileHasher((report) => {
    const file = applyHashReport(store, report)
    if (file && destination) sender.send(file, destination)
  })
  const hash = ({ id, content }: NewUploadFile) => hasher.hash({ id, file: content })

  return {
    subscribe: store.subscribe,
    getFiles: store.getFiles,

    add: (chosen: readonly File[]) => {
      const added = chosen.map(newUploadFile)
      store.add(added)
      for (const file of added) hash(file)
    },

    /** Sends every file as soon as it has a fingerprint; called again, with what has arrived since. */
    begin: (into: Destination) => {
      destination = into
      unwatch ??= watchConnections(store, sender)
      for (const file of store.getFiles()) {
        if (file.status === 'ready' && hasFingerprint(file)) sender.send(file, into)
      }
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
      store.change(id, { status: 'hashing', reason: null })
      hash(file)
    },

    /** Leaves a file out; the server keeps what it has of it until the upload is submitted or withdrawn. */
    remove: (id: string) => {
      sender.remove(id)
      store.remove(id)
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
