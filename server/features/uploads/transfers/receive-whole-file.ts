import type { Readable } from 'node:stream'
import { LIMITS, WHOLE_FILE_BYTES } from '../../../../shared/limits.ts'
import { cleanFileName } from '../../../../shared/uploads/file-names.ts'
import { inTransaction, type UserActor, type UserCtx } from '../../../context.ts'
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
import { inSenderSlot } from './sender-slots.ts'
import {
  bodyTooLong,
  checksumMismatch,
  cutBody,
  fileTooLarge,
  isDiskFull,
  noSpace,
} from './transfer-errors.ts'
import { addWholeFile, lockUploadForFile, selectTransfer, type Transfer } from './transfers.db.ts'

/** The bytes of these requests that are in memory, of all together in this process. */
let held = 0
/** Shared evenly by the workers. */
const MAX_HELD_BYTES = 32 * WHOLE_FILE_BYTES

/**
 * Receives a small file that comes whole with its announcement: in memory until all bytes are there, then durable, then in one
 * transaction a file of its upload, recorded, and waiting to be read. Returns how many of its bytes the server has: all, or
 * fewer if the same announcement has begun a transfer before; null, and reads nothing, while too many such files are in memory.
 * Throws what `beginTransfer` and the last byte of a transfer throw.
 */
export async function receiveWholeFile(
  ctx: UserCtx,
  input: TransferInput,
  body: Readable,
): Promise<number | null> {
  if (!canTransfer(ctx.actor)) throw notFound('upload')
  if (held + input.size > MAX_HELD_BYTES / ctx.services.config.workers) return null
  held += input.size
  try {
    const bytes = await collectWhileAllowed(ctx, input.size, body)
    return await storeWholeFile(ctx, input, bytes)
  } finally {
    held -= input.size
  }
}

/** Throws UNAUTHENTICATED or NOT_FOUND within seconds when the session or the right to send files ends. */
async function collectWhileAllowed(ctx: UserCtx, size: number, body: Readable): Promise<Buffer> {
  let refusal: UserError | null = null
  const recheck = setInterval(
    () =>
      requireSender(ctx).catch((error: unknown) => {
        // An unavailable database ends no request.
        if (!(error instanceof UserError)) return
        refusal = error
        body.destroy()
      }),
    ACCESS_RECHECK_INTERVAL_MS,
  )
  const bytes = await collectBytes(body, size, IDLE_TIMEOUT_MS).finally(() => clearInterval(recheck))
  if (refusal) throw refusal
  if (bytes === null) throw cutBody()
  if (bytes === 'too-long') throw bodyTooLong()
  return bytes
}

/** Returns the actor with the rights of now, who may still send files. */
async function requireSender(ctx: UserCtx): Promise<UserActor> {
  const actor = await renewActor(ctx)
  if (!canTransfer(actor)) throw notFound('upload')
  return actor
}

async function storeWholeFile(ctx: UserCtx, input: TransferInput, bytes: Buffer): Promise<number> {
  const { storage } = ctx.services
  const { key, sha256 } = await storage.put(bytes).catch((error: unknown) => {
    throw isDiskFull(error) ? noSpace() : error
  })
  try {
    if (!sha256.equals(input.sha256)) throw checksumMismatch()
    const content = { ...recogniseHead(bytes.subarray(0, HEAD_BYTES)), key }
    const earlier = await inSenderSlot(ctx.actor.id, () => addToUpload(ctx, input, content))
    if (earlier) await storage.remove(key)
    return earlier ? earlier.received : input.size
  } catch (error) {
    // After any error but a UserError the transaction may have been committed, and the bytes must stay.
    if (error instanceof UserError) await storage.remove(key)
    throw error
  }
}

/** Returns null once the file is added, or the transfer that the same announcement has begun or finished before. */
const addToUpload = (
  ctx: UserCtx,
  input: TransferInput,
  { kind, type, key }: ReturnType<typeof recogniseHead> & { key: string },
): Promise<Transfer | null> =>
  inTransaction(ctx, async (tx) => {
    const { id, uploadId, name, size, sha256 } = input
    const found = await lockUploadForFile(tx.db, scopeToChange(tx.actor), uploadId)
    if (!found) throw notFound('upload')
    const { settings, expected_bytes, ...upload } = found
    const refuse = async (error: UserError) => {
      const earlier = await findEarlier(tx, input)
      if (!earlier) throw error
      return earlier
    }
    // The sender's rights may have ended while the bytes arrived or another transaction had the upload.
    const isLate = Date.now() - tx.now.getTime() >= ACCESS_RECHECK_INTERVAL_MS
    const refusal = refusalOf(isLate ? await requireSender(tx) : tx.actor, upload)
    if (refusal) return refuse(refusal)
    const { upload_file_mib, upload_files } = readStoredSettings(settings ?? {})
    const maxBytes = upload_file_mib * 1024 ** 2
    if (size > maxBytes) return refuse(fileTooLarge(maxBytes))
    const free = await tx.services.storage.freeBytes()
    const expected = expected_bytes + tx.services.partialFiles.reservedBytes()
    if (free !== null && free - expected < LIMITS.reservedBytes) return refuse(noSpace())
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
    return null
  })

/** Returns the transfer of an earlier request with the same announcement; throws if the id is of another one. */
async function findEarlier(tx: UserCtx, input: TransferInput): Promise<Transfer | null> {
  const transfer = await selectTransfer(tx.db, input.id)
  if (!transfer) return null
  await requireSame(tx, transfer, input)
  return transfer.state === 'cancelled' ? null : transfer
}
