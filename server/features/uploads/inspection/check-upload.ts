import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { findSite } from '../../site/find-site.ts'
import { updateInspected } from '../files/files.db.ts'
import { findUpload } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { findKeptInspections } from '../readings/kept-reading.ts'
import { deleteReadings } from '../readings/readings.db.ts'
import { authorIdOf } from '../uploads.access.ts'
import { type FileRow, lockUpload, selectFiles, type UploadRow } from '../uploads.db.ts'
import { replaceFacts } from './facts.db.ts'
import { inspectStoredFile } from './inspect-stored-file.ts'
import type { Inspection } from './inspection.ts'
import { applyActiveContentSetting } from './scan-and-inspect.ts'

/**
 * Scans and inspects every file of a submitted upload; one that was inspected when it arrived is only scanned. Moves the upload to quarantine if a file
 * is rejected, else to review, or to `unassigned` without a patient. Does nothing in any other state than
 * `checking`, so that it may run again at any time, or while another job of the same upload runs.
 */
export async function checkUpload(ctx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  const lock = await ctx.services.locks.tryAcquire(`check-upload ${uploadId}`)
  if (!lock) return
  try {
    // A new check that finds the lock does nothing, so that this one is repeated.
    while (!(await checkLocked(ctx, uploadId)));
  } finally {
    await lock.release()
  }
}

/** Returns false if the upload was taken back and submitted again meanwhile, perhaps with other files. */
async function checkLocked(ctx: Ctx<SystemActor>, uploadId: string): Promise<boolean> {
  const upload = await findUpload(ctx, uploadId)
  if (upload?.state !== 'checking') return true
  const seenVersion = upload.version
  const files = await selectFiles(ctx.db, uploadId)
  const inspections = await inspectFiles(ctx, upload, files)
  return inTransaction(ctx, async (tx) => {
    const upload = await lockUpload(tx.db, uploadId)
    if (upload?.state !== 'checking') return true
    if (upload.version !== seenVersion) return false
    const site = await findSite(tx.db)
    const judged = [...inspections].map(([id, each]) => [id, applyActiveContentSetting(each, site)] as const)
    for (const [id, inspection] of judged) {
      await updateInspected(tx.db, id, inspection, tx.now)
      await replaceFacts(tx.db, id, inspection.accepted ? inspection.stated : [])
    }
    await deleteReadings(tx.db, uploadId)
    const clean = judged.every(([, { accepted }]) => accepted)
    const next = upload.patient_id === null ? 'unassigned' : 'in_review'
    const malware = judged.flatMap(([, { facts }]) => facts.signature ?? [])
    const more = malware.length > 0 ? { malware: { to: malware } } : {}
    await moveUpload(tx, uploadId, clean ? next : 'quarantined', 'upload.checked', more)
    if (clean) {
      const payload = { uploadId, authorId: authorIdOf(upload) }
      await tx.services.jobs.enqueue(tx.db, 'draw-thumbnails', payload)
    }
    if (clean && next === 'in_review') await tx.services.jobs.enqueue(tx.db, 'accept-by-policy', { uploadId })
    return true
  })
}

/** Scans the files, and inspects them in the lanes, as tasks of the upload's author. */
async function inspectFiles(
  ctx: Ctx,
  upload: UploadRow,
  files: readonly FileRow[],
): Promise<Map<string, Inspection>> {
  const mayConfirm = upload.category_review_required === false
  const kept = await findKeptInspections(ctx, upload.id, mayConfirm)
  const inspected = await Promise.allSettled(
    files.map((file) =>
      inspectStoredFile(ctx, file, {
        mayConfirm,
        authorId: authorIdOf(upload),
        scanner: ctx.services.scanner,
        kept: kept.get(file.id),
      }),
    ),
  )
  const inspections = new Map<string, Inspection>()
  for (const [index, result] of inspected.entries()) {
    if (result.status === 'rejected') throw result.reason
    inspections.set(files[index]!.id, result.value)
  }
  return inspections
}
