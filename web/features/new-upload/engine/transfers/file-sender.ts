import { canPause, type Fingerprinted, NO_RESPONSE_REASON, UNREADABLE_MESSAGE } from '../new-upload-file.ts'
import type { UploadFileStore } from '../upload-file-store.ts'
import { deleteTransfer } from './delete-transfer.ts'
import { discardFile } from './discard-file.ts'
import { planResume, type ReceivedContent } from './resume-plan.ts'
import { startTusUpload, type TusUpload } from './tus-upload.ts'
import { createUploadQueue } from './upload-queue.ts'

const MAX_PARALLEL_UPLOADS = 3
/** Between two requests to delete a transfer while the server does not decide. */
const DELETE_RETRY_DELAY_MS = 2000
/** The status of the response when the bytes differ from the fingerprint. */
const CHECKSUM_MISMATCH = 460

const KEPT_REASON = 'A ajuns la server și nu se mai poate scoate.'

/** The upload that receives the files, and the content that the server already has of it. */
export type Destination = { uploadId: string; arrived: ReceivedContent }

/** The requests of files, which tests replace. */
export type FileRequests = {
  startUpload: typeof startTusUpload
  deleteTransfer: typeof deleteTransfer
  discardFile: typeof discardFile
}
export const FILE_REQUESTS: FileRequests = { startUpload: startTusUpload, deleteTransfer, discardFile }

export type FileSender = ReturnType<typeof createFileSender>

/** Sends files to the server, `parallel` at a time, and shows in `store` how far each one is. */
export function createFileSender(
  store: UploadFileStore,
  requests: FileRequests,
  parallel = MAX_PARALLEL_UPLOADS,
) {
  const queue = createUploadQueue(parallel)
  const uploads = new Map<string, TusUpload>()
  /** Aborts when the sender is stopped. */
  let ended = new AbortController()

  function forget(id: string): void {
    uploads.get(id)?.stop()
    uploads.delete(id)
  }

  return {
    /** Sends what the destination lacks of the file. */
    send: (file: Fingerprinted, { uploadId, arrived }: Destination) => {
      const { id, content, sha256, size } = file
      const plan = planResume(file, arrived)
      if (plan.kind === 'arrived') {
        store.change(id, { status: 'sent', done: size })
        return
      }
      store.change(id, { status: 'waiting', done: 0 })
      /** Changes nothing once the file is being removed: its request may still end. */
      const show = (changes: Parameters<typeof store.change>[1]) => {
        if (store.find(id)?.status !== 'removing') store.change(id, changes)
      }
      const upload = requests.startUpload({
        id: id.replaceAll('-', ''),
        content,
        uploadId,
        sha256,
        transferId: plan.kind === 'continue' ? plan.transferId : null,
        queue,
        onConnect: () => show({ status: 'connecting' }),
        onProgress: (done) => show({ status: 'sending', done, reason: null }),
        onSent: () => show({ status: 'sent', done: size, reason: null }),
        onBreak: async () => {
          show({ status: 'retrying', reason: null })
          if ((await isReadable(content)) || uploads.get(id) !== upload) return
          forget(id)
          show({ status: 'failed', reason: UNREADABLE_MESSAGE })
        },
        onFailed: ({ reason, status }) => {
          // The file is not what it was: a retry calculates its fingerprint again.
          if (status === CHECKSUM_MISMATCH) forget(id)
          show({ status: 'failed', reason, isUnreachable: status === 0 })
        },
      })
      uploads.set(id, upload)
    },

    pause: (id: string) => {
      const file = store.find(id)
      if (!file || !canPause(file)) return
      uploads.get(id)?.stop()
      store.change(id, { status: 'paused', reason: null })
    },

    resume: (id: string) => {
      if (store.find(id)?.status !== 'paused') return
      store.change(id, { status: 'waiting' })
      uploads.get(id)?.start()
    },

    /** Sends a failed file again; returns false if it needs a new fingerprint first. */
    retry: (id: string): boolean => {
      const upload = uploads.get(id)
      if (!upload) return false
      store.change(id, { status: 'waiting', reason: null, isUnreachable: false })
      upload.start()
      return true
    },

    /** Replaces a connection that may be dead. */
    reconnect: (id: string) => uploads.get(id)?.reconnect(),

    /**
     * Takes a file out of the list once the server has deleted what it has of it. A file that the server does not
     * discard becomes `kept`.
     */
    remove: async (id: string, destination: Destination | null): Promise<void> => {
      const upload = uploads.get(id)
      const { status, sha256 } = store.find(id)!
      const hasArrived = status === 'sent'
      if (upload || hasArrived) store.change(id, { status: 'removing', reason: null })
      const end = ended.signal
      const isKnown = hasArrived || (upload !== undefined && (await upload.settle()) !== 'nothing')
      if (end.aborted) return
      const url = upload?.getUrl() ?? null
      if (!destination || sha256 === null || !isKnown) {
        uploads.delete(id)
        return store.remove(id)
      }
      const onNoResponse = () => store.change(id, { reason: NO_RESPONSE_REASON })
      const requestDelete = async () => {
        const outcome = hasArrived || url === null ? 'finished' : await requests.deleteTransfer(url)
        return outcome === 'deleted' ? outcome : requests.discardFile(destination.uploadId, sha256)
      }
      const outcome = await repeatDelete(requestDelete, () => !end.aborted, onNoResponse)
      if (outcome === null) return
      uploads.delete(id)
      if (outcome === 'deleted') return store.remove(id)
      store.change(id, { status: 'kept', done: store.find(id)!.size, reason: KEPT_REASON })
    },

    /** Sends no more of a file; returns whether the server has decided about what it may still take of it. */
    settle: async (id: string): Promise<boolean> => (await uploads.get(id)?.settle()) !== 'unknown',

    /** Stops the transfer of a file; what the server has of it stays. */
    forget,

    stop: () => {
      ended.abort()
      ended = new AbortController()
      for (const id of uploads.keys()) forget(id)
    },
  }
}

/** Repeats the request until the server decides; returns null if the outcome is no longer wanted. */
async function repeatDelete(
  requestDelete: () => Promise<'deleted' | 'finished'>,
  isWanted: () => boolean,
  onNoResponse: () => void,
): Promise<'deleted' | 'finished' | null> {
  for (;;) {
    const outcome = await requestDelete().catch(() => null)
    if (!isWanted()) return null
    if (outcome !== null) return outcome
    onNoResponse()
    await new Promise((resolve) => setTimeout(resolve, DELETE_RETRY_DELAY_MS))
  }
}

/** Whether retries can help: a file that was moved or changed breaks the request like a lost connection does. */
async function isReadable(content: File): Promise<boolean> {
  try {
    await content.slice(0, 1).arrayBuffer()
    return true
  } catch {
    return false
  }
}
