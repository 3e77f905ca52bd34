import { createFileHasher, type HashReport } from './file-hasher.ts'
import { type Fingerprinted, hasFingerprint, type NewUploadFile } from './new-upload-file.ts'
import { planResume, type ReceivedContent } from './resume-plan.ts'
import { createTusQueue, startTusUpload, type TusUpload } from './tus-upload.ts'

/** The upload that the files go into, and what of it the server has had already. */
export type Destination = { uploadId: string; arrived: ReceivedContent }

export type UploadEngine = ReturnType<typeof createUploadEngine>

/** How often connections are looked at; after how long without a byte one counts as dead, in milliseconds. */
const WATCH_INTERVAL_MS = 5000
const SENDING_TIMEOUT_MS = 20_000
/** Between two tries, or while the server checks a large file that has arrived whole. */
const WAITING_TIMEOUT_MS = 90_000
const UNREADABLE = 'Fișierul nu mai poate fi citit: a fost mutat sau schimbat. Scoate-l și alege-l din nou.'

/**
 * Takes chosen files to the server: first their fingerprints, as soon as they are chosen; their bytes from `begin` on. Goes
 * on by itself after a break. Nothing is kept in the browser: after a reload the server knows how far each file got, and
 * the fingerprint of the same file, chosen again, finds its place.
 */
export function createUploadEngine() {
  let files: readonly NewUploadFile[] = []
  let destination: Destination | null = null
  let queue = createTusQueue()
  let watch: ReturnType<typeof setInterval> | undefined
  const contents = new Map<string, File>()
  const tusUploads = new Map<string, TusUpload>()
  const unreachable = new Set<string>()
  const lastSignAt = new Map<string, number>()
  const listeners = new Set<() => void>()
  const hasher = createFileHasher(onHashReport)

  function publish(next: readonly NewUploadFile[]): void {
    files = next
    for (const listener of listeners) listener()
  }

  function change(id: string, changes: Partial<NewUploadFile>): void {
    lastSignAt.set(id, Date.now())
    publish(files.map((file) => (file.id === id ? { ...file, ...changes } : file)))
  }

  const find = (id: string) => files.find((file) => file.id === id)

  function onHashReport(report: HashReport): void {
    const file = find(report.id)
    if (file?.status !== 'hashing') return
    if (report.kind === 'progress') change(file.id, { done: report.read })
    else if (report.kind === 'unreadable') change(file.id, { status: 'failed', reason: UNREADABLE })
    else takeFingerprint({ ...file, sha256: report.sha256 })
  }

  function takeFingerprint(file: Fingerprinted): void {
    const { id, size, sha256 } = file
    const twin = files.find((other) => other.id !== id && other.sha256 === sha256 && other.size === size)
    if (twin) {
      change(id, { status: 'skipped', reason: `Același conținut ca „${twin.name}”.` })
      return
    }
    change(id, { status: 'ready', sha256, done: 0 })
    if (destination) send(file, destination)
  }

  function send({ id, size, sha256 }: Fingerprinted, { uploadId, arrived }: Destination): void {
    const content = contents.get(id)
    if (!content) return
    const plan = planResume({ sha256, size }, arrived)
    if (plan.kind === 'arrived') {
      change(id, { status: 'skipped', reason: 'A ajuns deja întreg.' })
      return
    }
    change(id, { status: 'waiting', done: 0 })
    const sender = startTusUpload({
      content,
      uploadId,
      sha256,
      transferId: plan.kind === 'continue' ? plan.transferId : null,
      queue,
      onProgress: (done) => change(id, { status: 'sending', done }),
      onBreak: () => {
        change(id, { status: 'retrying' })
        void failIfUnreadable(id, content)
      },
      onSent: () => change(id, { status: 'sent', done: size }),
      onFailed: ({ reason, isUnreachable }) => {
        if (isUnreachable) unreachable.add(id)
        change(id, { status: 'failed', reason })
      },
    })
    tusUploads.set(id, sender)
  }

  /** A file that was moved or changed since it was chosen breaks like a connection does, but never comes back. */
  async function failIfUnreadable(id: string, content: File): Promise<void> {
    try {
      await content.slice(0, 1).arrayBuffer()
    } catch {
      tusUploads.get(id)?.stop()
      tusUploads.delete(id)
      if (find(id)) change(id, { status: 'failed', reason: UNREADABLE })
    }
  }

  function reconnectTheDead(): void {
    for (const { id, status, done, size } of files) {
      if (status !== 'sending' && status !== 'retrying') continue
      const patience = status === 'sending' && done < size ? SENDING_TIMEOUT_MS : WAITING_TIMEOUT_MS
      if (Date.now() - (lastSignAt.get(id) ?? 0) < patience) continue
      lastSignAt.set(id, Date.now())
      tusUploads.get(id)?.reconnect()
    }
  }

  function onOnline(): void {
    for (const { id, status } of files) {
      if (status === 'retrying') tusUploads.get(id)?.reconnect()
      else if (status === 'failed' && unreachable.has(id)) retry(id)
    }
  }

  function retry(id: string): void {
    const sender = tusUploads.get(id)
    const content = contents.get(id)
    unreachable.delete(id)
    change(id, { status: sender ? 'waiting' : 'hashing', reason: null })
    if (sender) sender.retry()
    else if (content) hasher.hash({ id, file: content })
  }

  function pause(id: string): void {
    const file = find(id)
    if (!file || !['waiting', 'sending', 'retrying'].includes(file.status)) return
    tusUploads.get(id)?.pause()
    change(id, { status: 'paused' })
  }

  function resume(id: string): void {
    if (find(id)?.status !== 'paused') return
    change(id, { status: 'waiting' })
    tusUploads.get(id)?.resume()
  }

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getFiles: () => files,

    add: (chosen: readonly File[]) => {
      const added = chosen.map((file): NewUploadFile => {
        const id = crypto.randomUUID()
        contents.set(id, file)
        return {
          id,
          name: file.name,
          size: file.size,
          status: 'hashing',
          done: 0,
          sha256: null,
          reason: null,
        }
      })
      publish([...files, ...added])
      for (const { id } of added) hasher.hash({ id, file: contents.get(id)! })
    },

    /** From now on every file goes out as soon as its fingerprint is there; called again, with what has arrived since. */
    begin: (into: Destination) => {
      destination = into
      if (!watch) {
        watch = setInterval(reconnectTheDead, WATCH_INTERVAL_MS)
        window.addEventListener('online', onOnline)
      }
      for (const file of files) {
        if (file.status === 'ready' && hasFingerprint(file)) send(file, into)
      }
    },

    pause,
    resume,
    pauseAll: () => {
      for (const { id } of files) pause(id)
    },
    resumeAll: () => {
      for (const { id } of files) resume(id)
    },
    retry,

    /** Leaves a file out; what the server has of it stays there until the upload is handed in or withdrawn. */
    remove: (id: string) => {
      tusUploads.get(id)?.stop()
      tusUploads.delete(id)
      contents.delete(id)
      publish(files.filter((file) => file.id !== id))
    },

    /** Ends everything here and forgets the files. The engine can then be used for another upload. */
    stop: () => {
      clearInterval(watch)
      watch = undefined
      window.removeEventListener('online', onOnline)
      hasher.stop()
      for (const sender of tusUploads.values()) sender.stop()
      tusUploads.clear()
      contents.clear()
      unreachable.clear()
      queue = createTusQueue()
      destination = null
      if (files.length > 0) publish([])
    },
  }
}
