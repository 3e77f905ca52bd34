import { open } from 'node:fs/promises'
import type { FileKind } from '../../../../shared/uploads/files.ts'
import type { Ctx } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { insertFile } from '../files/files.db.ts'
import { HEAD_BYTES, type Recognised, recogniseHead } from '../inspection/recognise-file.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { authorIdOf } from '../uploads.access.ts'
import { lockUpload } from '../uploads.db.ts'
import { isDiskFull, noSpace } from './transfer-errors.ts'

/** Returns the type that the first bytes of a partial file show. */
export async function recognisePartialFile({ services }: Ctx, id: string): Promise<Recognised> {
  const handle = await open(services.partialFiles.path(id), 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return recogniseHead(buffer.subarray(0, bytesRead))
  } finally {
    await handle.close()
  }
}

/** Stores a partial file whose bytes are durable, and returns its key; the partial file stays. Throws 507 on a full disk. */
export async function storePartialFile({ services }: Ctx, id: string): Promise<string> {
  const { key } = await services.storage
    .importFile(services.partialFiles.path(id))
    .catch((error: unknown) => {
      throw isDiskFull(error) ? noSpace() : error
    })
  return key
}

type StoredFile = {
  name: string
  type: string
  kind: FileKind
  size: number
  sha256: Buffer
  storage_key: string
}

/** Adds a stored file to an upload, records it and enqueues its reading. Returns its id. */
export async function addReceivedFile(tx: Ctx, uploadId: string, file: StoredFile): Promise<string> {
  const id = newId()
  const upload = (await lockUpload(tx.db, uploadId))!
  await insertFile(tx.db, { id, upload_id: uploadId, ...file })
  await recordAudit(tx, {
    action: 'file.receive',
    subject: { type: 'file', id },
    patientId: upload.patient_id,
  })
  await tx.services.jobs.enqueue(tx.db, 'read-file', { fileId: id, authorId: authorIdOf(upload) })
  await notifyUploadChanged(tx, upload)
  return id
}
