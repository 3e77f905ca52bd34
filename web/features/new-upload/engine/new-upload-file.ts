export const UNREADABLE_MESSAGE =
  'Fișierul nu mai poate fi citit: a fost mutat sau schimbat. Scoate-l și alege-l din nou.'

/** A connection without progress for this long counts as dead. */
const SENDING_TIMEOUT_MS = 20_000
/** The same limit between two attempts, and while the server checks a large file that has arrived whole. */
const WAITING_TIMEOUT_MS = 90_000

/**
 * The progress of a chosen file: its fingerprint is calculated (`hashing`), it waits for the form (`ready`)
 * or for room in the queue (`waiting`), is sent (`sending`), is stopped by the user (`paused`) or by a lost
 * connection (`retrying`), and ends as arrived (`sent`), in error (`failed`) or left out because the server
 * needs no copy (`skipped`).
 */
export type NewUploadFileStatus =
  | 'hashing'
  | 'ready'
  | 'waiting'
  | 'sending'
  | 'paused'
  | 'retrying'
  | 'sent'
  | 'failed'
  | 'skipped'

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
  /** The Romanian sentence that says why the file failed or is skipped. */
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

/** Whether the file is still being read or sent, or is about to be. */
export const isUnderWay = ({ status }: NewUploadFile): boolean =>
  !['sent', 'failed', 'skipped'].includes(status)

export const canPause = ({ status }: NewUploadFile): boolean =>
  ['waiting', 'sending', 'retrying'].includes(status)

/**
 * Whether the user can remove the file from the list. Not once all its bytes were sent without a definite
 * response, since the server may have stored it.
 */
export const canRemove = ({ status, done, size, isUnreachable }: NewUploadFile): boolean => {
  const isUnacknowledged =
    ['sending', 'retrying', 'paused'].includes(status) || (status === 'failed' && isUnreachable)
  return status !== 'sent' && !(isUnacknowledged && done === size)
}

/** Whether the connection of the file shows no progress for so long that it counts as dead. */
export function isSilent({ status, done, size, changedAt }: NewUploadFile, now: number): boolean {
  if (status !== 'sending' && status !== 'retrying') return false
  const isSending = status === 'sending' && done < size
  return now - changedAt >= (isSending ? SENDING_TIMEOUT_MS : WAITING_TIMEOUT_MS)
}

/** Bytes received by the server and bytes of all files, without the skipped ones. */
export function sumProgress(files: readonly NewUploadFile[]): { done: number; size: number } {
  const counted = files.filter(({ status }) => status !== 'skipped')
  const isReading = ({ status }: NewUploadFile) => status === 'hashing' || status === 'ready'
  return {
    done: counted.reduce((sum, file) => sum + (isReading(file) ? 0 : file.done), 0),
    size: counted.reduce((sum, { size }) => sum + size, 0),
  }
}
