import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { UserCtx } from '../../context.ts'
import { beginTransfer, type TransferInput } from '../../features/uploads/transfers/begin-transfer.ts'
import { cancelTransfer } from '../../features/uploads/transfers/cancel-transfer.ts'
import { getTransfer } from '../../features/uploads/transfers/get-transfer.ts'
import { receiveBytes } from '../../features/uploads/transfers/receive-bytes.ts'
import { resumeTransfer } from '../../features/uploads/transfers/resume-transfer.ts'
import { finishedFile } from '../../features/uploads/transfers/transfer-errors.ts'
import type { UploadLock } from './upload-lock.ts'

export type TransferRequest = {
  ctx: UserCtx
  body: Readable
  /** The new transfer of a POST; null for the other methods. */
  creation: Omit<TransferInput, 'id'> | null
  /** Returns the lock that the tus library takes before it calls the store. */
  lock: () => UploadLock
}

/**
 * Creates the store that the tus library uses for one request; without a request, the store only lists its
 * extensions.
 */
export function createTransferStore(request?: TransferRequest): DataStore {
  const store = new DataStore()
  store.extensions = ['creation', 'creation-with-upload', 'termination']
  if (!request) return store
  const { ctx, body, creation, lock } = request
  /** The transfer as read under the lock of this request. */
  let transfer: Awaited<ReturnType<typeof getTransfer>>
  return Object.assign(store, {
    create: async (upload: Upload) => {
      transfer = await beginTransfer(ctx, { ...creation!, id: upload.id })
      return upload
    },
    getUpload: async (id: string) => {
      transfer = await getTransfer(ctx, id)
      const offset = await resumeTransfer(ctx, transfer)
      return new Upload({
        id,
        size: transfer.size,
        offset,
        metadata: { filename: transfer.name },
        creation_date: transfer.created_at.toISOString(),
      })
    },
    // The stream from the library is empty, because the library never gets the body.
    write: async (_stream: Readable, _id: string, offset: number) =>
      offset === transfer.size ? offset : receiveBytes(ctx, transfer, body, { ...lock(), offset }),
    remove: async (id: string) => {
      if (await cancelTransfer(ctx, id)) return
      // Its last byte arrived while this request waited for the lock.
      if ((await getTransfer(ctx, id)).state === 'finished') throw finishedFile()
    },
  })
}
