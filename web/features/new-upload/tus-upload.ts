import { type Meta, Uppy } from '@uppy/core'
import { RateLimitedQueue } from '@uppy/core/utils'
import Tus, { type TusBody } from '@uppy/tus'
import { forgetSession } from '../../session/session.ts'
import { isTemporary, readTransferError } from './transfer-errors.ts'

const ENDPOINT = '/files'
/** Milliseconds before each new try; begins anew whenever bytes have arrived. A restart of the server takes some seconds. */
const RETRY_DELAYS_MS = [300, 1000, 2000, 4000, 8000, 8000, 15_000, 15_000, 30_000, 30_000]
const MAX_PARALLEL_UPLOADS = 3

/** Files that share a queue go out three at a time. */
export const createTusQueue = () => new RateLimitedQueue(MAX_PARALLEL_UPLOADS)

type FileMeta = Meta & { filename: string; filetype: string; uploadId: string; sha256: string }

export interface TusUploadOptions {
  content: File
  uploadId: string
  sha256: string
  /** The beginning that the server has of it. */
  transferId: string | null
  queue: RateLimitedQueue
  onProgress: (bytes: number) => void
  /** The connection broke; it goes on by itself. */
  onBreak: () => void
  onSent: () => void
  /** `isUnreachable`: nobody answered, however often it was tried. */
  onFailed: (failure: { reason: string; isUnreachable: boolean }) => void
}

export type TusUpload = ReturnType<typeof startTusUpload>

/**
 * Sends one file over tus, in one request unless it breaks, and goes on from where the server says that it is. The address
 * of the transfer is kept in memory only: the next page finds it by the file's fingerprint.
 */
export function startTusUpload({ content, uploadId, sha256, transferId, queue, ...tell }: TusUploadOptions) {
  const uppy = new Uppy<FileMeta, TusBody>({ logger: SILENT_LOGGER }).use(Tus, {
    endpoint: ENDPOINT,
    rateLimitedQueue: queue,
    retryDelays: RETRY_DELAYS_MS,
    allowedMetaFields: ['filename', 'filetype', 'uploadId', 'sha256'],
    storeFingerprintForResuming: false,
    removeFingerprintOnSuccess: true,
    onAfterResponse: (request, response) => {
      const status = response.getStatus()
      if (status === 401) forgetSession()
      // To the library any refusal here means that the transfer is gone, and it would begin again from nothing.
      if (request.getMethod() === 'HEAD' && isTemporary('HEAD', status)) throw new Error(`status ${status}`)
    },
    onShouldRetry: (error, _attempt, _options, retry) => {
      const method = error.originalRequest.getMethod()
      if (!isTemporary(method, error.originalResponse?.getStatus() ?? 0)) return false
      tell.onBreak()
      return retry(error)
    },
  })
  const id = uppy.addFile({
    name: content.name,
    type: content.type,
    data: content,
    meta: { filename: content.name, filetype: content.type, uploadId, sha256 },
  })
  if (transferId) uppy.setFileState(id, { tus: { uploadUrl: `${ENDPOINT}/${transferId}` } })

  uppy.on('upload-progress', (_file, { bytesUploaded }) => tell.onProgress(bytesUploaded || 0))
  uppy.on('upload-success', () => tell.onSent())
  uppy.on('upload-error', (_file, _error, response) => {
    const status = response?.status ?? 0
    tell.onFailed({
      reason: readTransferError(status, response?.body?.xhr.responseText ?? ''),
      isUnreachable: status === 0,
    })
  })
  void uppy.upload()

  const setPaused = (isPaused: boolean) => {
    if ((uppy.getFile(id).isPaused ?? false) !== isPaused) uppy.pauseResume(id)
  }
  return {
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    /** Drops a connection that may be dead and asks the server anew. */
    reconnect: () => {
      setPaused(true)
      setPaused(false)
    },
    /** After a failure. */
    retry: () => void uppy.retryUpload(id),
    /** Ends here; the server keeps what it has. */
    stop: () => {
      uppy.pauseAll()
      // Of a file that it still has, Uppy would tell the server to forget the bytes.
      uppy.setState({ files: {} })
      uppy.destroy()
    },
  }
}

/** Failures are told on the screen. */
const SILENT_LOGGER = { debug: () => undefined, warn: () => undefined, error: () => undefined }
