import { LIMITS } from '../../../../shared/limits.ts'
import { client } from '../../../api/client.ts'
import { errorMessage, isTemporary } from '../../../api/client-error.ts'
import { pathOf } from '../../../ui/controls/dropped-files.ts'
import { watchConnections } from '../../new-upload/engine/connection-watch.ts'
import { createFileHasher } from '../../new-upload/engine/file-hasher.ts'
import type { HashReport } from '../../new-upload/engine/hash-file.worker.ts'
import {
  canPause,
  type Fingerprinted,
  hasFingerprint,
  type NewUploadFile,
  newUploadFile,
  UNREADABLE_MESSAGE,
} from '../../new-upload/engine/new-upload-file.ts'
import { createStore } from '../../new-upload/engine/store.ts'
import { createFileSender, FILE_REQUESTS } from '../../new-upload/engine/transfers/file-sender.ts'
import { createUploadFileStore } from '../../new-upload/engine/upload-file-store.ts'
import { ADD_TO_BATCH, type AnnouncedFile } from '../batches.queries.ts'
import { fileKey } from './batch-files.ts'

const PARALLEL_UPLOADS = 4
/** How long fingerprints are collected before the files are announced together. */
const COLLECT_MS = 150
/** Between two attempts to announce files, or to send those that failed, while the server does not respond. */
const RETRY_DELAY_MS = 3000

export type BatchSender = ReturnType<typeof createBatchSender>

/** What the sender knows besides the files. */
type Sending = {
  /** The batch that receives the files; null before the first. */
  batchId: string | null
  isPaused: boolean
  /** The id of the file in the list, by the upload that receives it. */
  fileOfUpload: ReadonlyMap<string, string>
}
const NOTHING: Sending = { batchId: null, isPaused: false, fileOfUpload: new Map() }

/**
 * Sends files to a batch, each to a draft of its own. One failure stops no other file; while the server does not respond
 * it waits. Saves nothing in the browser: the server recognises the files by their keys.
 */
export function createBatchSender() {
  const store = createUploadFileStore()
  const sender = createFileSender(store, FILE_REQUESTS, PARALLEL_UPLOADS)
  const state = createStore(NOTHING)
  const targets = new Map<string, AnnouncedFile & { uploadId: string }>()
  const announcer = createAnnouncer(store, (file, answer) => {
    const { uploadId } = answer
    if (uploadId === null) {
      store.change(file.id, { status: 'failed', reason: answer.refusal })
      return
    }
    targets.set(file.id, { ...answer, uploadId })
    const { fileOfUpload } = state.get()
    state.set({ ...state.get(), fileOfUpload: new Map(fileOfUpload).set(uploadId, file.id) })
    if (answer.isReceived) store.change(file.id, { status: 'sent', done: file.size })
    else send(file.id)
  })
  let timer: ReturnType<typeof setInterval> | undefined
  let unwatch: (() => void) | null = null

  const send = (id: string) => {
    const file = store.find(id)
    const target = targets.get(id)
    if (!file || !hasFingerprint(file) || file.status !== 'ready' || !target || state.get().isPaused) return
    const { uploadId, transfer } = target
    sender.send(file, { uploadId, arrived: { files: [], transfers: transfer ? [transfer] : [] } })
  }
  const hasher = createFileHasher((report: HashReport) => {
    const file = store.find(report.id)
    if (file?.status !== 'hashing') return
    if (report.kind === 'progress') return store.change(file.id, { done: report.read })
    if (report.kind === 'unreadable')
      return store.change(file.id, { status: 'failed', reason: UNREADABLE_MESSAGE })
    const { sha256 } = report
    const known = store
      .getFiles()
      .find((other) => other.id !== file.id && isSameFile(other, { ...file, sha256 }))
    // The same folder was dropped twice.
    if (known && known.status !== 'failed') return store.remove(file.id)
    if (known) store.remove(known.id)
    store.change(file.id, { status: 'ready', sha256, done: 0 })
    announcer.add(state.get().batchId!, file.id)
  })
  const hash = (id: string, content: File) => {
    targets.delete(id)
    store.change(id, { status: 'hashing', sha256: null, reason: null, isUnreachable: false, done: 0 })
    hasher.hash({ id, file: content })
  }
  const retry = ({ id, status, content }: NewUploadFile) => {
    if (status === 'failed' && !sender.retry(id)) hash(id, content)
  }

  return {
    subscribe: store.subscribe,
    getFiles: store.getFiles,
    subscribeState: state.subscribe,
    getState: state.get,

    /** Sends files to a batch; a sender has one batch until it is stopped. */
    add: (batchId: string, chosen: readonly File[]) => {
      state.set({ ...state.get(), batchId })
      unwatch ??= watchConnections(store, sender)
      timer ??= setInterval(() => {
        for (const file of store.getFiles()) if (file.isUnreachable) retry(file)
      }, RETRY_DELAY_MS)
      const added = chosen.map(newUploadFile)
      store.add(added)
      for (const { id, content } of added) hasher.hash({ id, file: content })
    },

    pause: () => {
      state.set({ ...state.get(), isPaused: true })
      for (const file of store.getFiles()) if (canPause(file)) sender.pause(file.id)
    },
    resume: () => {
      state.set({ ...state.get(), isPaused: false })
      for (const { id, status } of store.getFiles())
        if (status === 'paused') sender.resume(id)
        else send(id)
    },
    retryFailed: () => {
      for (const file of store.getFiles()) retry(file)
    },

    /** Forgets all files; what the server has of them stays. */
    stop: () => {
      announcer.stop()
      unwatch?.()
      unwatch = null
      clearInterval(timer)
      timer = undefined
      hasher.stop()
      sender.stop()
      targets.clear()
      state.set(NOTHING)
      store.clear()
    },
  }
}

const keyOf = ({ content, sha256 }: Fingerprinted): string => fileKey({ path: pathOf(content), sha256 })

const isSameFile = (one: NewUploadFile, other: Fingerprinted): boolean =>
  hasFingerprint(one) && keyOf(one) === keyOf(other)

/** Announces files a hundred at a time, and again while the server does not respond. */
function createAnnouncer(
  store: ReturnType<typeof createUploadFileStore>,
  onAnswer: (file: Fingerprinted, answer: AnnouncedFile) => void,
) {
  let waiting: string[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()
  let ended = new AbortController()

  const announce = async (batchId: string, ids: readonly string[], signal: AbortSignal) => {
    while (!signal.aborted) {
      const files = ids.flatMap((id) => store.find(id) ?? []).filter(hasFingerprint)
      const input = files.map((file) => ({ key: keyOf(file), name: file.name, size: file.size }))
      try {
        const { data } = await client.mutate({ mutation: ADD_TO_BATCH, variables: { batchId, files: input } })
        if (signal.aborted) return
        const answers = new Map((data?.addToBatch ?? []).map((answer) => [answer.key, answer]))
        for (const file of files) {
          const answer = answers.get(keyOf(file))
          if (answer) onAnswer(file, answer)
        }
        return
      } catch (error) {
        if (signal.aborted) return
        if (!isTemporary(error)) {
          for (const id of ids) store.change(id, { status: 'failed', reason: errorMessage(error) })
          return
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS))
      }
    }
  }
  const flush = (batchId: string) => {
    clearTimeout(timer)
    timer = undefined
    const ids = waiting
    waiting = []
    const { signal } = ended
    running = running.then(() => announce(batchId, ids, signal))
  }
  return {
    add: (batchId: string, id: string) => {
      waiting.push(id)
      if (waiting.length >= LIMITS.announcedFiles) flush(batchId)
      else timer ??= setTimeout(() => flush(batchId), COLLECT_MS)
    },
    stop: () => {
      ended.abort()
      ended = new AbortController()
      clearTimeout(timer)
      timer = undefined
      waiting = []
    },
  }
}

const UNFINISHED: ReadonlySet<NewUploadFile['status']> = new Set([
  'hashing',
  'ready',
  'waiting',
  'connecting',
  'sending',
  'paused',
  'retrying',
])

/** Whether the page still has to send the file. */
export const isUnfinished = ({ status }: NewUploadFile): boolean => UNFINISHED.has(status)
