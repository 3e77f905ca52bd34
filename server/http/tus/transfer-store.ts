import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { Ctx } from '../../context.ts'
import type { ReceiveOptions } from '../../features/uploads/transfers/append-bytes.ts'
import { cancelTransfer } from '../../features/uploads/transfers/cancel-transfer.ts'
import { finishedFile } from '../../features/uploads/transfers/transfer-errors.ts'
import type { UploadLock } from './upload-lock.ts'

/** What the protocol has to know of a transfer. */
export type SentTransfer = { name: string; size: number; state: string; created_at: Date }

/** What one sender may do with transfers; each throws NOT_FOUND for one that is not the sender's. */
export type SenderTransfers<T extends SentTransfer, F> = {
  ctx: Ctx
  /** Returns the id of a new transfer; a repeated POST has the same one. */
  newId: (file: F) => string
  /** Reads the header `Upload-Metadata` of a new file. */
  readMetadata: (header: string | undefined) => F
  begin: (id: string, file: F & { size: number }) => Promise<T>
  get: (id: string) => Promise<T>
  /** Returns the offset at which it continues. */
  resume: (transfer: T) => Promise<number>
  receive: (transfer: T, body: Readable, options: ReceiveOptions) => Promise<number>
  /**
   * Receives a small file that comes whole with its announcement, where that is allowed. Returns how many bytes the server has;
   * null, with the body unread, if the file has to be received like a large one.
   */
  receiveWhole?: (id: string, file: F & { size: number }, body: Readable) => Promise<number | null>
}

export type TransferRequest<T extends SentTransfer, F> = {
  transfers: SenderTransfers<T, F>
  body: Readable
  /** The new file of a POST; null for the other methods. */
  creation: (F & { size: number }) | null
  /** Returns the lock that the tus library takes before it calls the store. */
  lock: () => UploadLock
}

/**
 * Creates the store that the tus library uses for one request; without a request, the store only lists its
 * extensions.
 */
export function createTransferStore<T extends SentTransfer, F>(
  extensions: readonly string[],
  request?: TransferRequest<T, F>,
): DataStore {
  const store = new DataStore()
  store.extensions = [...extensions]
  if (!request) return store
  const { transfers, body, creation, lock } = request
  /** The transfer as read under the lock of this request. */
  let transfer: T
  return Object.assign(store, {
    create: async (upload: Upload) => {
      transfer = await transfers.begin(upload.id, creation!)
      return upload
    },
    getUpload: async (id: string) => {
      transfer = await transfers.get(id)
      const offset = await transfers.resume(transfer)
      return new Upload({
        id,
        size: transfer.size,
        offset,
        metadata: { filename: transfer.name },
        creation_date: transfer.created_at.toISOString(),
      })
    },
    // The stream from the library is empty, because the library never gets the body.
    write: async (_stream: Readable, _id: string, offset: number) => {
      // A repeated announcement: the client continues where the server is, and its bytes, which begin at 0, are not read.
      const durable = creation ? await transfers.resume(transfer) : offset
      if (durable !== offset || durable === transfer.size) return durable
      return transfers.receive(transfer, body, { ...lock(), offset })
    },
    remove: async (id: string) => {
      if (await cancelTransfer(transfers.ctx, id)) return
      // Its last byte arrived while this request waited for the lock.
      if ((await transfers.get(id)).state === 'finished') throw finishedFile()
    },
  })
}
