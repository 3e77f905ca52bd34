/**
 * Where a chosen file is on its way: its fingerprint is taken (`hashing`), it waits for the person (`ready`) or for its
 * turn (`waiting`), its bytes go out (`sending`), stand still on request (`paused`) or after a break (`retrying`), and then
 * it has arrived whole (`sent`), could not be sent (`failed`), or need not be (`skipped`).
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
  name: string
  size: number
  status: NewUploadFileStatus
  /** Bytes: read, while `hashing`; at the server, from `waiting` on. */
  done: number
  sha256: string | null
  /** The Romanian sentence of why it failed or is skipped. */
  reason: string | null
}

export type Fingerprinted = NewUploadFile & { sha256: string }

export const hasFingerprint = (file: NewUploadFile): file is Fingerprinted => file.sha256 !== null

/** Whether bytes of it are on their way, or are to be. */
export const isUnderWay = ({ status }: NewUploadFile): boolean =>
  !['sent', 'failed', 'skipped'].includes(status)

/** How many bytes of all the files have arrived. */
export function sumProgress(files: readonly NewUploadFile[]): { done: number; size: number } {
  const counted = files.filter(({ status }) => status !== 'skipped')
  const isReading = (file: NewUploadFile) => file.status === 'hashing' || file.status === 'ready'
  return {
    done: counted.reduce((sum, file) => sum + (isReading(file) ? 0 : file.done), 0),
    size: counted.reduce((sum, { size }) => sum + size, 0),
  }
}
