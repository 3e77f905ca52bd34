import type { Readable } from 'node:stream'
import { DataStore, Upload } from '@tus/server'
import type { UserCtx } from '../../context.ts'
import { beginTransfer, type TransferInput } from '../../features/uploads/transfers/begin-transfer.ts'
import { cancelTransfer } from '../../features/uploads/transfers/cancel-transfer.ts'
import { getTransfer } from '../../features/uploads/transfers/get-transfer.ts'
import { receiveBytes } from '../../features/uploads/transfers/receive-bytes.ts'
import { resumeTransfer } from '../../features/uploads/transfers/resume-transfer.ts'
import type { UploadLock } from './upload-lock.ts'

export type TransferRequest = {
  ctx: UserCtx
  body: Readable
  /** What a POST announces. */
  creation: Omit<TransferInput, 'id'> | null
  /** Taken by the library's locker before anything is asked of the store. */
  lock: () => UploadLock
}

/** The protocol library's view of transfers, for one request; without one, only what it can do. */
export function createTransferStore(request?: TransferRequest): DataStore {
  const store = new DataStore()
  store.extensions = ['creation', 'creation-with-upload', 'termination']
  if (!request) return store
  const { ctx, body, creation, lock: turn } = request
  /** As this request has found it under its lock. */
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
    // The stream that the library passes is empty: it never saw the body.
    write: async (_stream: Readable, _id: string, offset: number) =>
      offset === transfer.size ? offset : receiveBytes(ctx, transfer, body, { ...turn(), offset }),
    remove: async (id: string) => {
      await cancelTransfer(ctx, id)
    },
  })
}
