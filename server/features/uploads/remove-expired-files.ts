import { type Ctx, inTransaction, type SystemActor } from '../../context.ts'
import { errorFacts } from '../../platform/log.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findSite } from '../site/find-site.ts'
import { lockToEmpty, selectToEmpty, updateFilesRemoved } from './retention.db.ts'

/** Milliseconds for which the files of what is in the bin are still there. */
const IN_BIN = 30 * 24 * 60 * 60 * 1000

/**
 * A part of the job `upload.expire`: removes the bytes of what has been in the bin for thirty days and is past its term by
 * today's settings too, and says how many. The rows stay, marked, without what stood in the files.
 */
export async function removeExpiredFiles(ctx: Ctx<SystemActor>): Promise<void> {
  const before = new Date(ctx.now.getTime() - IN_BIN)
  const { retention_years: years } = await findSite(ctx.db)
  const removed = { uploads: 0, files: 0, bytes: 0 }
  for (const { id } of await selectToEmpty(ctx.db, before, ctx.now, years)) {
    try {
      const files = await inTransaction(ctx, (tx) => emptyUpload(tx, id, before, years))
      if (files.length > 0) removed.uploads += 1
      removed.files += files.length
      removed.bytes += sumOf(files)
    } catch (error) {
      // The next night tries it again; the others go all the same.
      ctx.log.error('upload: its files were not removed', { upload: id, ...errorFacts(error) })
    }
  }
  if (removed.uploads > 0) ctx.log.info('upload: files removed, past their term', removed)
}

/** The bytes go last: what the journal does not know stays, and a crash in between leaves a row that is tried again. */
async function emptyUpload(tx: Ctx, id: string, before: Date, years: number | null) {
  const upload = await lockToEmpty(tx.db, id, before, tx.now, years)
  if (!upload) return []
  const files = await updateFilesRemoved(tx.db, id, tx.now, 'retention')
  await recordAudit(tx, {
    action: 'upload.remove-files',
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
    changes: { files: { to: files.length }, bytes: { to: sumOf(files) } },
  })
  for (const { storage_key } of files) await tx.storage.remove(storage_key)
  return files
}

const sumOf = (files: readonly { size: number }[]): number => files.reduce((sum, { size }) => sum + size, 0)
