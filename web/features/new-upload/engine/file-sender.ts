import { canPause, type Fingerprinted, UNREADABLE_MESSAGE } from './new-upload-file.ts'
import { planResume, type ReceivedContent } from './resume-plan.ts'
import { startTusUpload, type TusUpload } from './tus-upload.ts'
import type { UploadFileStore } from './upload-file-store.ts'
import { createUploadQueue } from './upload-queue.ts'

const MAX_PARALLEL_UPLOADS = 3

/** The upload that receives the files, and the content that the server already has of it. */
export type Destination = { uploadId: string; arrived: ReceivedContent }

export type FileSender = ReturnType<typeof createFileSender>

/** Sends files to the server and shows in `store` how far each one is. */
export function createFileSender(store: UploadFileStore) {
  const queue = createUploadQueue(MAX_PARALLEL_UPLOADS)
  const uploads = new Map<string, TusUpload>()

  function remove(id: string): void {
    uploads.get(id)?.stop()
    uploads.delete(id)
  }

  return {
    /** Sends what the destination lacks of the file; skips a file that it already has. */
    send: (file: Fingerprinted, { uploadId, arrived }: Destination) => {
      const { id, content, sha256 } = file
      const plan = planResume(file, arrived)
      if (plan.kind === 'arrived') {
        store.change(id, { status: 'skipped', reason: 'A ajuns deja întreg.' })
        return
      }
      store.change(id, { status: 'waiting', done: 0 })
      const upload = startTusUpload({
        content,
        uploadId,
        sha256,
        transferId: plan.kind === 'continue' ? plan.transferId : null,
        queue,
        ...showProgress(store, file),
        onBreak: async () => {
          store.change(id, { status: 'retrying' })
          if (await isReadable(content)) return
          remove(id)
          store.change(id, { status: 'failed', reason: UNREADABLE_MESSAGE })
        },
      })
      uploads.set(id, upload)
    },

    pause: (id: string) => {
      const file = store.find(id)
      if (!file || !canPause(file)) return
      uploads.get(id)?.stop()
      store.change(id, { status: 'paused' })
    },

    resume: (id: string) => {
      if (store.find(id)?.status !== 'paused') return
      store.change(id, { status: 'waiting' })
      uploads.get(id)?.start()
    },

    /** Sends a failed file again; returns false if it could not be read and needs a new fingerprint first. */
    retry: (id: string): boolean => {
      const upload = uploads.get(id)
      if (!upload) return false
      store.change(id, { status: 'waiting', reason: null, isUnreachable: false })
      upload.start()
      return true
    },

    reconnect: (id: string) => {
      store.change(id, {})
      uploads.get(id)?.reconnect()
    },

    remove,
    stop: () => {
      for (const id of uploads.keys()) remove(id)
    },
  }
}

const showProgress = (store: UploadFileStore, { id, size }: Fingerprinted) => ({
  onProgress: (done: number) => store.change(id, { status: 'sending', done }),
  onSent: () => store.change(id, { status: 'sent', done: size }),
  onFailed: (failure: { reason: string; isUnreachable: boolean }) =>
    store.change(id, { status: 'failed', ...failure }),
})

/** Whether retries can help: a file that was moved or changed breaks the request like a lost connection does. */
async function isReadable(content: File): Promise<boolean> {
  try {
    await content.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
