import { LIMITS } from '../../../../shared/limits.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { errorFields } from '../../../platform/log.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { forgetFacts } from '../inspection/facts.db.ts'
import { lockToEmpty, selectToEmpty, updateFilesRemoved } from './retention.db.ts'

/** Milliseconds that the files of an upload in the bin are kept. */
const BIN_TTL_MS = LIMITS.binDays * 24 * 60 * 60 * 1000

/**
 * Deletes the files of uploads that have been in the bin for thirty days and are past their retention by the
 * current settings too, and logs how many. The rows stay, marked, without the files' text. They are marked before the bytes are deleted, so that a crash in between leaves only bytes
 * without a row.
 */
export async function removeExpiredFiles(ctx: Ctx<SystemActor>): Promise<void> {
  const before = new Date(ctx.now.getTime() - BIN_TTL_MS)
  const { retention_years: years } = await findSite(ctx.db)
  const removed = { uploads: 0, files: 0, bytes: 0 }
  for (const { id } of await selectToEmpty(ctx.db, before, ctx.now, years)) {
    try {
      const files = await inTransaction(ctx, (tx) => markFilesRemoved(tx, id, before, years))
      for (const { storage_key } of files) await ctx.services.storage.remove(storage_key)
      if (files.length > 0) removed.uploads += 1
      removed.files += files.length
      removed.bytes += totalSize(files)
    } catch (error) {
      // An upload that is not marked is retried the next night; the others continue.
      ctx.services.log.error('upload: removing its files failed', { upload: id, ...errorFields(error) })
    }
  }
  if (removed.uploads > 0) ctx.services.log.info('upload: files removed, past their retention', removed)
}

async function markFilesRemoved(tx: Ctx, id: string, before: Date, years: number | null) {
  const upload = await lockToEmpty(tx.db, id, before, tx.now, years)
  if (!upload) return []
  const files = await updateFilesRemoved(tx.db, id, tx.now)
  await forgetFacts(
    tx.db,
    files.map(({ id }) => id),
  )
  await recordAudit(tx, {
    action: 'upload.remove-files',
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
    changes: { files: { to: files.length }, bytes: { to: totalSize(files) } },
  })
  return files
}

const totalSize = (files: readonly { size: number }[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)
