import { type Ctx, inTransaction, type SystemActor } from '../../../context.ts'
import { openSandbox, type Sandbox, SandboxFailure } from '../../../platform/sandbox.ts'
import { updateInspected } from '../files/files.db.ts'
import { findUpload } from '../find-upload.ts'
import { moveUpload } from '../move-upload.ts'
import { type FileRow, lockUpload, selectFiles } from '../uploads.db.ts'
import type { InspectionTask } from './inspect-file.ts'
import { type Inspection, rejectFile } from './inspection.ts'

const WORKER = new URL('./inspect-file-worker.ts', import.meta.url)
const SANDBOX_LIMITS = { time: 60_000, memory: 1536 * 1024 ** 2 }

/**
 * Inspects every file of a submitted upload. Moves the upload to quarantine if a file
 * is rejected, else to review, or to `unassigned` without a patient. Does nothing in any other state than
 * `checking`, so that it may run again at any time.
 */
export async function checkUpload(ctx: Ctx<SystemActor>, uploadId: string): Promise<void> {
  if (!(await isChecking(ctx, uploadId))) return
  const files = await selectFiles(ctx.db, uploadId)
  const upload = await findUpload(ctx, uploadId)
  const mayConfirm = upload?.category_review_required === false
  const inspections = await inspectFiles(ctx, files, mayConfirm)
  await inTransaction(ctx, async (tx) => {
    const upload = await lockUpload(tx.db, uploadId)
    if (upload?.state !== 'checking') return
    for (const [id, inspection] of inspections) await updateInspected(tx.db, id, inspection)
    const clean = [...inspections.values()].every(({ accepted }) => accepted)
    const next = upload.patient_id === null ? 'unassigned' : 'in_review'
    await moveUpload(tx, uploadId, clean ? next : 'quarantined', 'upload.checked')
    if (clean && next === 'in_review') await tx.services.jobs.enqueue(tx.db, 'accept-by-policy', { uploadId })
  })
}

const isChecking = (ctx: Ctx, uploadId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => (await lockUpload(tx.db, uploadId))?.state === 'checking')

/**
 * Inspects the files one after the other in one sandbox process, so that a parser's failure stays inside it.
 */
async function inspectFiles(
  ctx: Ctx,
  files: readonly FileRow[],
  mayConfirm: boolean,
): Promise<Map<string, Inspection>> {
  const sandbox = openSandbox<InspectionTask, Inspection>(WORKER, SANDBOX_LIMITS)
  try {
    const inspections = new Map<string, Inspection>()
    for (const file of files) inspections.set(file.id, await inspect(ctx, sandbox, file, mayConfirm))
    return inspections
  } finally {
    sandbox.close()
  }
}

async function inspect(
  ctx: Ctx,
  sandbox: Sandbox<InspectionTask, Inspection>,
  file: FileRow,
  mayConfirm: boolean,
): Promise<Inspection> {
  const { path, close } = await ctx.services.storage.openLocalPath(file.storage_key)
  try {
    return await sandbox.run({ path, name: file.name, mayConfirm })
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error
    ctx.services.log.warn('upload: the inspection of a file failed', {
      file: file.id,
      kind: file.kind,
      size: file.size,
    })
    return rejectFile('unreadable')
  } finally {
    await close()
  }
}
