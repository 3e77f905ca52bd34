export const UNREADABLE_MESSAGE =
  'Fișierul nu mai poate fi citit: a fost mutat sau schimbat. Scoate-l și alege-l din nou.'

export const NO_RESPONSE_REASON = 'Serverul nu răspunde, se încearcă din nou…'

/** A connection without progress for this long counts as dead. */
const SENDING_TIMEOUT_MS = 20_000
/** The same limit between two attempts, and while the server checks a large file that has arrived whole. */
const WAITING_TIMEOUT_MS = 90_000

/**
 * The progress of a chosen file. Its fingerprint is calculated (`hashing`); it waits for the form (`ready`)
 * or for room in the queue (`waiting`), or has the content of another file of the list (`duplicate`); it is
 * sent (`connecting` until the first byte, then `sending`), stopped by the user (`paused`) or by a lost
 * connection (`retrying`), or deleted from the server (`removing`). It ends as arrived (`sent`), in error
 * (`failed`), or arrived and the server does not discard it (`kept`), until the user decides about it.
 */
export type NewUploadFileStatus =
  | 'hashing'
  | 'ready'
  | 'duplicate'
  | 'waiting'
  | 'connecting'
  | 'sending'
  | 'paused'
  | 'retrying'
  | 'removing'
  | 'sent'
  | 'kept'
  | 'failed'

export type NewUploadFile = {
  id: string
  content: File
  name: string
  /** In bytes. */
  size: number
  status: NewUploadFileStatus
  /** In bytes: read while `hashing`, received by the server from `waiting` on. */
  done: number
  /** In hex; null until calculated. */
  sha256: string | null
  /** The Romanian sentence that explains the status, if there is more to say; why the file failed. */
  reason: string | null
  /** Whether it failed because the server did not respond. */
  isUnreachable: boolean
  /** Time of the last change, in milliseconds since 1970. */
  changedAt: number
}

export type Fingerprinted = NewUploadFile & { sha256: string }

export const newUploadFile = (content: File): NewUploadFile => ({
  id: crypto.randomUUID(),
  content,
  name: content.name,
  size: content.size,
  status: 'hashing',
  done: 0,
  sha256: null,
  reason: null,
  isUnreachable: false,
  changedAt: Date.now(),
})

export const hasFingerprint = (file: NewUploadFile): file is Fingerprinted => file.sha256 !== null

/** Whether the upload may be submitted without waiting for this file. */
export const isReadyToSubmit = ({ status }: NewUploadFile): boolean =>
  status === 'sent' || status === 'duplicate'

export const canPause = ({ status }: NewUploadFile): boolean =>
  ['waiting', 'connecting', 'sending', 'retrying'].includes(status)

/** Whether the file can be left out; the server decides about one that has arrived. */
export const canRemove = ({ status }: NewUploadFile): boolean => status !== 'removing' && status !== 'kept'

/** Whether the connection of the file shows no progress for so long that it counts as dead. */
export function isSilent({ status, done, size, changedAt }: NewUploadFile, now: number): boolean {
  if (!['connecting', 'sending', 'retrying'].includes(status)) return false
  const isExpected = status === 'connecting' || (status === 'sending' && done < size)
  return now - changedAt >= (isExpected ? SENDING_TIMEOUT_MS : WAITING_TIMEOUT_MS)
}

/** Bytes received by the server and bytes of all files, without duplicates. */
export function sumProgress(files: readonly NewUploadFile[]): { done: number; size: number } {
  const counted = files.filter(({ status }) => status !== 'duplicate')
  const isReading = ({ status }: NewUploadFile) => status === 'hashing' || status === 'ready'
  return {
    done: counted.reduce((sum, file) => sum + (isReading(file) ? 0 : file.done), 0),
    size: counted.reduce((sum, { size }) => sum + size, 0),
  }
}
