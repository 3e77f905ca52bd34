import type { UploadState } from '../../../../shared/uploads/upload-state-list.ts'
import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { groupLater } from '../drafts/group-later.ts'
import { selectFile } from '../files/files.db.ts'
import { findUpload } from '../find-upload.ts'
import { replaceFacts } from '../inspection/facts.db.ts'
import { inspectStoredFile } from '../inspection/inspect-stored-file.ts'
import type { Inspection } from '../inspection/inspection.ts'
import { notifyUploadChanged } from '../notify-upload-changed.ts'
import { authorIdOf, takesFiles } from '../uploads.access.ts'
import { type FileRow, lockUpload } from '../uploads.db.ts'
import { READER_VERSION } from './kept-reading.ts'
import { hasReading, saveReading } from './readings.db.ts'

/**
 * Scans and inspects a file that has arrived, before its upload is submitted, and keeps the result, so that the page of its
 * author can show it. Does nothing if it was read before, and once the upload is submitted or withdrawn: then the check reads
 * the file, and decides.
 */
export async function readFile(ctx: Ctx<SystemActor>, fileId: string): Promise<void> {
  const file = await selectFile(ctx.db, fileId)
  const upload = file && (await findUpload(ctx, file.upload_id))
  if (!upload || !isAwaited(file, upload) || (await hasReading(ctx.db, fileId, READER_VERSION))) return
  // A draft has no category yet; only one that requires a reviewer makes the longer search useless.
  const mayConfirm = upload.category_review_required !== true
  const { scanner } = ctx.services
  const inspection = await inspectStoredFile(ctx, file, { mayConfirm, authorId: authorIdOf(upload), scanner })
  const isMoved = await keepReading(ctx, file, { mayConfirm, inspection })
  // To an upload of another category, or of nobody who takes files: it is read again for that one.
  if (isMoved) await readFile(ctx, fileId)
}

const isAwaited = ({ scan_result }: FileRow, upload: { state: UploadState }): boolean =>
  scan_result === 'pending' && takesFiles(upload)

/** Returns whether the file was moved to another upload meanwhile; then nothing is kept. */
async function keepReading(
  ctx: Ctx<SystemActor>,
  { id, upload_id }: FileRow,
  { mayConfirm, inspection }: { mayConfirm: boolean; inspection: Inspection },
): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const upload = await lockUpload(tx.db, upload_id)
    const file = await selectFile(tx.db, id)
    if (file && file.upload_id !== upload_id) return true
    if (!upload || !file || !isAwaited(file, upload)) return false
    await saveReading(
      tx.db,
      { file_id: id, reader: READER_VERSION, may_confirm: mayConfirm, inspection },
      tx.now,
    )
    await replaceFacts(tx.db, id, inspection.accepted ? inspection.stated : [])
    const { signature } = inspection.facts
    // The file may be discarded before any check records it.
    if (signature !== undefined)
      await recordAudit(tx, {
        action: 'file.infected',
        subject: { type: 'file', id },
        patientId: upload.patient_id,
        changes: { malware: { to: [signature] } },
      })
    await notifyUploadChanged(tx, upload)
    await groupLater(tx, upload)
    return false
  })
}
