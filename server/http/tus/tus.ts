import { type DataStore, Server } from '@tus/server'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { LIMITS, WHOLE_FILE_BYTES } from '../../../shared/limits.ts'
import { invalid, notFound } from '../../errors.ts'
import { findSite } from '../../features/site/find-site.ts'
import {
  bodyTooLong,
  emptyFile,
  fileTooLarge,
  finishedFile,
  transferMoved,
} from '../../features/uploads/transfers/transfer-errors.ts'
import type { Services } from '../../services.ts'
import { bodyOf } from '../request-body.ts'
import type { Env } from '../types.ts'
import { createTransferStore, type SenderTransfers, type SentTransfer } from './transfer-store.ts'
import { createUploadLocks, type UploadLock } from './upload-lock.ts'
import { isTransferId } from './upload-metadata.ts'

const BYTES = 'application/offset+octet-stream'
const TUS_HEADERS = { 'tus-resumable': '1.0.0', 'cache-control': 'no-store' } as const

/**
 * Opens the resumable tus protocol 1.0 at a path. The library handles headers and responses; the bytes go directly from the
 * connection to the disk.
 */
export function openTus(
  services: Services,
  { path, extensions }: { path: string; extensions: readonly string[] },
) {
  const uploadLocks = createUploadLocks(services)

  return {
    /** Responds to OPTIONS, which need no sender. */
    describe: async (c: Context<Env>): Promise<Response> => {
      const { upload_file_mib } = await findSite(services.db)
      const server = createServer(createTransferStore(extensions), upload_file_mib * 1024 ** 2, {
        locker: { newLock: () => ({ lock: async () => undefined, unlock: async () => undefined }) },
      })
      return withoutCors(await server.handleWeb(headOf(c, 'OPTIONS')))
    },
    /** Responds to a request about the transfer, or without an id to the one that begins a transfer. */
    handle: async <T extends SentTransfer, F>(
      c: Context<Env>,
      id: string | null,
      transfers: SenderTransfers<T, F>,
    ): Promise<Response> => {
      const method = effectiveMethod(c)
      await authorise(transfers, method, id)
      const body = bodyOf(c)
      const hasBytes = method === 'POST' && c.req.header('content-type') === BYTES
      if (hasBytes && !extensions.includes('creation-with-upload'))
        throw invalid([{ field: 'Content-Type', message: 'Octeții se trimit cu PATCH.' }])
      const size = method === 'POST' ? readLength(c) : null
      const creation =
        size === null ? null : { ...transfers.readMetadata(c.req.header('upload-metadata')), size }
      const newId = creation && transfers.newId(creation)
      if (creation && newId && hasBytes && transfers.receiveWhole && isSmallAndWhole(c, creation)) {
        const offset = await transfers.receiveWhole(newId, creation, body)
        const headers = { location: `${path}/${newId}`, 'upload-offset': String(offset) }
        if (offset !== null) return c.body(null, 201, { ...TUS_HEADERS, ...headers })
      }
      let lock: UploadLock | undefined
      let failure: unknown
      const store = createTransferStore(extensions, { transfers, body, creation, lock: () => lock! })
      const acquireLock = async (name: string) => {
        lock = await uploadLocks.take(name, method === 'DELETE')
      }
      const server = createServer(store, LIMITS.fileBytes, {
        locker: {
          newLock: (name) => ({ lock: () => acquireLock(name), unlock: async () => lock?.release() }),
        },
        ...(newId && { namingFunction: () => newId }),
        onResponseError: (_request, error) => {
          failure = error
          return undefined
        },
      })
      const response = await server.handleWeb(headOf(c, method))
      if (failure instanceof Error) throw failure
      if (response.status === 409) throw transferMoved()
      if (response.status >= 400) throw new HTTPException(response.status as ContentfulStatusCode)
      return withoutCors(response)
    },
  }

  /**
   * Creates the tus server of one request, since its store works for one sender and one body; this takes some
   * microseconds.
   */
  function createServer(
    datastore: DataStore,
    maxSize: number,
    hooks: Pick<ConstructorParameters<typeof Server>[0], 'locker' | 'namingFunction' | 'onResponseError'>,
  ): Server {
    return new Server({
      path,
      datastore,
      relativeLocation: true,
      allowedOrigins: () => false,
      maxSize,
      getFileIdFromRequest: (_request, last) => (last && isTransferId(last) ? last : undefined),
      ...hooks,
    })
  }
}

/**
 * Returns the method of the request, or the method that a POST overrides, for clients that can send only
 * POST.
 */
export function effectiveMethod(c: Context<Env>): string {
  const { method } = c.req
  return method === 'POST' ? (c.req.header('x-http-method-override')?.toUpperCase() ?? method) : method
}

/** Adds to the response of an error what every response of the protocol has. */
export function throwAsTus(error: Error, c: Context): never {
  for (const [name, value] of Object.entries(TUS_HEADERS)) c.header(name, value)
  throw error
}

/**
 * Throws NOT_FOUND unless the sender has begun the transfer: for all others it does not exist. Throws
 * FORBIDDEN for a change of a finished transfer.
 */
async function authorise<T extends SentTransfer, F>(
  transfers: SenderTransfers<T, F>,
  method: string,
  id: string | null,
): Promise<void> {
  if (id === null && method === 'POST') return
  if (id === null || !isTransferId(id) || !['HEAD', 'PATCH', 'DELETE'].includes(method))
    throw notFound('transfer')
  const { state } = await transfers.get(id)
  if (state === 'finished' && method !== 'HEAD') throw finishedFile()
}

/** Whether a POST brings the whole of a small file, by the protocol's version that is spoken here. */
const isSmallAndWhole = (c: Context<Env>, { size }: { size: number }): boolean =>
  size <= WHOLE_FILE_BYTES &&
  Number(c.req.header('content-length')) === size &&
  c.req.header('tus-resumable') === TUS_HEADERS['tus-resumable']

/** Returns the request without its body, for the tus library. */
const headOf = (c: Context<Env>, method: string): Request =>
  new Request(c.req.url, { method, headers: c.req.raw.headers })

/**
 * Returns the size of the new file of a POST; throws a UserError when the headers are invalid or the file is
 * too large.
 */
function readLength(c: Context<Env>): number {
  const length = c.req.header('upload-length') ?? ''
  if (c.req.header('upload-defer-length') || c.req.header('upload-concat') || !/^\d{1,15}$/.test(length)) {
    throw invalid([{ field: 'Upload-Length', message: 'Lipsește mărimea fișierului.' }])
  }
  const size = Number(length)
  if (size > LIMITS.fileBytes) throw fileTooLarge(LIMITS.fileBytes)
  if (size === 0) throw emptyFile('Upload-Length')
  if (Number(c.req.header('content-length') ?? 0) > size) throw bodyTooLong()
  return size
}

function withoutCors(response: Response): Response {
  for (const name of [...response.headers.keys()]) {
    if (name.startsWith('access-control-')) response.headers.delete(name)
  }
  return response
}
