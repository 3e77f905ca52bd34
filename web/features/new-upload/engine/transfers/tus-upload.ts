import { type DetailedError, type HttpRequest, type HttpResponse, Upload } from 'tus-js-client'
import { WHOLE_FILE_BYTES } from '../../../../../shared/limits.ts'
import { forgetSession } from '../../../../session/session.ts'
import { isTemporary, readTransferError } from '../transfer-errors.ts'
import { isFinished } from './delete-transfer.ts'
import type { UploadQueue } from './upload-queue.ts'

const ENDPOINT = '/files'
/**
 * Before each retry; starts again from the first delay once the server has received more bytes. Covers a
 * restart of the server, which takes some seconds.
 */
const RETRY_DELAYS_MS = [300, 1000, 2000, 4000, 8000, 8000, 15_000, 15_000, 30_000, 30_000]

/** How long a page waits for the response of a request with a whole file before it acts without. */
const MAX_SETTLING_MS = 10_000

interface ConnectionOptions {
  /** The same for every attempt at this file, so that the server knows a repeated announcement. */
  id: string
  content: File
  uploadId: string
  sha256: string
  /** A connection begins. */
  onConnect: () => void
  /** `bytes`: sent so far. */
  onProgress: (bytes: number) => void
  /** The connection broke and is retried. */
  onBreak: () => void
  onSent: () => void
  /** `status`: of the last response; 0: no retry got one. */
  onFailed: (failure: { reason: string; status: number }) => void
}

export interface TusUploadOptions extends ConnectionOptions {
  /** The server's transfer with the first bytes of this file; null: none. */
  transferId: string | null
  queue: UploadQueue
}

export type TusUpload = ReturnType<typeof startTusUpload>

/**
 * Sends one file over tus as soon as `queue` has room, and continues from the offset that the server reports.
 * The transfer's address is kept in memory only: after a reload the transfer is found by the file's
 * fingerprint.
 */
export function startTusUpload({ transferId, queue, ...options }: TusUploadOptions) {
  let url = transferId === null ? null : `${ENDPOINT}/${transferId}`
  let connection = { disconnect: () => {}, settled: () => Promise.resolve() }
  /** Whether the server may have the whole file although it has named no transfer. */
  let mayHaveArrived = false
  let leaveQueue = () => {}

  const open = () => {
    options.onConnect()
    if (url === null && isSentWhole(options.content)) mayHaveArrived = true
    connection = connect(url, {
      ...options,
      onUrl: (next) => {
        url = next
      },
      onSent: () => {
        leaveQueue()
        options.onSent()
      },
      onFailed: (failure) => {
        leaveQueue()
        options.onFailed(failure)
      },
    })
  }
  const start = () => {
    leaveQueue = queue.add(open)
  }
  start()
  return {
    /** Starts again after `stop` or a failure. */
    start,
    /** Sends nothing more; the server keeps what it has. */
    stop: () => {
      leaveQueue()
      connection.disconnect()
    },
    /**
     * Sends nothing more once a request with a whole file has its response, since the server may still take the file from one
     * that is broken off. Returns whether the server may have some of the file, or may still take it, without a response.
     */
    settle: async (): Promise<'nothing' | 'something' | 'unknown'> => {
      const decided = connection.settled().then(() => true)
      const isDecided = !mayHaveArrived || (await Promise.race([decided, pause(MAX_SETTLING_MS)]))
      leaveQueue()
      connection.disconnect()
      if (!isDecided) return 'unknown'
      return mayHaveArrived || url !== null ? 'something' : 'nothing'
    },
    /** Returns the address of the transfer on the server; null if the server has not named one. */
    getUrl: () => url,
    /** Replaces a connection that may be dead; keeps the place in the queue. */
    reconnect: () => {
      connection.disconnect()
      open()
    },
  }
}

/**
 * Creates the transfer, of a small file with its bytes, or continues the one at `url` in one PATCH unless it breaks. Returns
 * what disconnects.
 */
function connect(
  url: string | null,
  { id, content, uploadId, sha256, ...events }: ConnectionOptions & { onUrl: (url: string) => void },
): { disconnect: () => void; settled: () => Promise<void> } {
  const connection = new AbortController()
  /** Of the request that runs. */
  let response = Promise.withResolvers<void>()
  let isRetry = false
  const upload = new Upload(content, {
    endpoint: ENDPOINT,
    uploadUrl: url,
    metadata: { filename: content.name, filetype: content.type, uploadId, sha256, id },
    uploadDataDuringCreation: isSentWhole(content),
    retryDelays: RETRY_DELAYS_MS,
    storeFingerprintForResuming: false,
    onUploadUrlAvailable: () => events.onUrl(upload.url!),
    onBeforeRequest: async () => {
      if (isRetry) await waitUntilOnline(connection.signal)
      response = Promise.withResolvers()
    },
    onAfterResponse: checkResponse,
    onShouldRetry: ({ originalRequest, originalResponse }) => {
      isRetry = isTemporary(originalRequest.getMethod(), originalResponse?.getStatus() ?? 0)
      response.resolve()
      if (isRetry) events.onBreak()
      return isRetry
    },
    onProgress: (bytes) => {
      // The library also calls this before the request has begun.
      if (bytes > 0) events.onProgress(bytes)
    },
    onSuccess: () => {
      response.resolve()
      events.onSent()
    },
    onError: async (error) => {
      response.resolve()
      const failure = describeFailure(error)
      // Another window may have sent the rest since this one asked for the offset.
      const isSent =
        failure.status === 403 && upload.url !== null && (await isFinished(upload.url).catch(() => false))
      if (connection.signal.aborted) return
      if (isSent) events.onSent()
      else events.onFailed(failure)
    },
  })
  upload.start()
  return {
    disconnect: () => {
      connection.abort()
      void upload.abort()
      // No response follows; after this time the server has decided about what it has.
      const broken = response
      void pause(MAX_SETTLING_MS).then(() => broken.resolve())
    },
    settled: () => response.promise,
  }
}

/** Whether a new transfer of the file is one request. */
const isSentWhole = ({ size }: File): boolean => size <= WHOLE_FILE_BYTES

const pause = (ms: number): Promise<false> => new Promise((resolve) => setTimeout(resolve, ms, false))

/**
 * Resolves once the browser has a network; never after `signal` is aborted, so that the request is not sent.
 */
function waitUntilOnline(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (navigator.onLine) resolve()
    else window.addEventListener('online', () => resolve(), { once: true, signal })
  })
}

/**
 * Throws on a HEAD that may succeed later: the library would take the transfer as lost and start from the
 * first byte.
 */
function checkResponse(request: HttpRequest, response: HttpResponse): void {
  const status = response.getStatus()
  if (status === 401) forgetSession()
  if (request.getMethod() === 'HEAD' && isTemporary('HEAD', status)) throw new Error(`status ${status}`)
}

function describeFailure(error: Error | DetailedError) {
  const response = 'originalResponse' in error ? error.originalResponse : null
  const status = response?.getStatus() ?? 0
  return { reason: readTransferError(status, response?.getBody() ?? ''), status }
}
