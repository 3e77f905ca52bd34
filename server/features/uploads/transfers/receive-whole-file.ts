import type { Readable } from 'node:stream'
import { LIMITS, WHOLE_FILE_BYTES } from '../../../../shared/limits.ts'
import { cleanFileName } from '../../../../shared/uploads/file-names.ts'
import { inTransaction, type UserCtx } from '../../../context.ts'
import { conflict, notFound, UserError } from '../../../errors.ts'
import { collectBytes } from '../../../platform/collect-bytes.ts'
import { newId } from '../../../platform/ids.ts'
import { ACCESS_RECHECK_INTERVAL_MS, renewActor } from '../../accounts/sessions/renew-actor.ts'
import { describeAudit } from '../../audit/record-audit.ts'
import { readStoredSettings } from '../../site/find-site.ts'
import { HEAD_BYTES, recogniseHead } from '../inspection/recognise-file.ts'
import { uploadEvents } from '../notify-upload-changed.ts'
import { canTransfer, scopeToChange } from '../uploads.access.ts'
import { claimUpload } from '../uploads.db.ts'
import { IDLE_TIMEOUT_MS } from './append-bytes.ts'
import { refusalOf, requireSame, type TransferInput, tooManyFiles } from './begin-transfer.ts'
import {
  bodyTooLong,
  checksumMismatch,
  cutBody,
  fileTooLarge,
  isDiskFull,
  noSpace,
  transferBusy,
} from './transfer-errors.ts'
import { addWholeFile, lockUploadForFile, selectTransfer } from './transfers.db.ts'

/** The bytes of these requests that are in memory, of all together. */
let held = 0
const MAX_HELD_BYTES = 32 * WHOLE_FILE_BYTES

/**
 * Receives a small file that comes whole with its announcement: in memory until all bytes are there, then durable, then in one
 * transaction a file of its upload, recorded, and waiting to be read. The same announcement again finds the file that is
 * there. Throws what `beginTransfer` and the last byte of a transfer throw, and 423 while too many such files arrive.
 */
export async function receiveWholeFile(ctx: UserCtx, input: TransferInput, body: Readable): Promise<void> {
  if (!canTransfer(ctx.actor)) throw notFound('upload')
  if (held + input.size > MAX_HELD_BYTES) throw transferBusy()
  held += input.size
  try {
    const began = Date.now()
    const bytes = await collectBytes(body, input.size, IDLE_TIMEOUT_MS)
    if (bytes === null) throw cutBody()
    if (bytes === 'too-long') throw bodyTooLong()
    // The rights of a sender who took long may have ended.
    const actor = Date.now() - began < ACCESS_RECHECK_INTERVAL_MS ? ctx.actor : await renewActor(ctx)
    await storeWholeFile({ ...ctx, actor }, input, bytes)
  } finally {
    held -= input.size
  }
}

async function storeWholeFile(ctx: UserCtx, input: TransferInput, bytes: Buffer): Promise<void> {
  const { storage } = ctx.services
  const { key, sha256 } = await storage.put(bytes).catch((error: unknown) => {
    throw isDiskFull(error) ? noSpace() : error
  })
  try {
    if (!sha256.equals(input.sha256)) throw checksumMismatch()
    const isAdded = await addToUpload(ctx, input, { ...recogniseHead(bytes.subarray(0, HEAD_BYTES)), key })
    if (!isAdded) await storage.remove(key)
  } catch (error) {
    // After any error but a UserError the transaction may have been committed, and the bytes must stay.
    if (error instanceof UserError) await storage.remove(key)
    throw error
  }
}

/** Returns false if the same announcement has added the file before. */
const addToUpload = (
  ctx: UserCtx,
  input: TransferInput,
  { kind, type, key }: ReturnType<typeof recogniseHead> & { key: string },
): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const { id, uploadId, name, size, sha256 } = input
    const found = await lockUploadForFile(tx.db, scopeToChange(tx.actor), uploadId)
    if (!found) throw notFound('upload')
    const { settings, expected_bytes, ...upload } = found
    const refuse = async (error: UserError) => {
      if (await isReceived(tx, input)) return false
      throw error
    }
    const refusal = refusalOf(tx.actor, upload)
    if (refusal) return refuse(refusal)
    const { upload_file_mib, upload_files } = readStoredSettings(settings ?? {})
    const maxBytes = upload_file_mib * 1024 ** 2
    if (size > maxBytes) throw fileTooLarge(maxBytes)
    const free = await tx.services.storage.freeBytes()
    const expected = expected_bytes + tx.services.partialFiles.reservedBytes()
    if (free !== null && free - expected < LIMITS.reservedBytes) throw noSpace()
    // Who corrects what a program has sent is its author from now on.
    if (upload.created_by === null && !(await claimUpload(tx.db, uploadId, tx.actor.id)))
      throw conflict('upload of a program')
    const fileId = newId()
    const added = await addWholeFile(tx.db, {
      id,
      uploadId,
      userId: tx.actor.id,
      fileId,
      name: cleanFileName(name),
      type,
      kind,
      size,
      sha256,
      key,
      now: tx.now,
      maxFiles: upload_files,
      auditRows: describeAudit(tx, {
        action: 'file.receive',
        subject: { type: 'file', id: fileId },
        patientId: upload.patient_id,
      }),
      events: JSON.stringify(uploadEvents(upload)),
    })
    if (!added) return refuse(tooManyFiles(upload_files))
    await tx.services.jobs.enqueue(tx.db, 'read-file', { fileId, authorId: tx.actor.id })
    return true
  })

/** Whether an earlier request with the same announcement has added the file; throws if the id is of another transfer. */
async function isReceived(tx: UserCtx, input: TransferInput): Promise<boolean> {
  const transfer = await selectTransfer(tx.db, input.id)
  if (!transfer) return false
  await requireSame(tx, transfer, input)
  if (transfer.state === 'receiving') throw transferBusy()
  return transfer.state === 'finished'
}
