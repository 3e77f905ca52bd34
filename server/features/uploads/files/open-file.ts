import { isAccepted } from '../../../../shared/uploads/files.ts'
import type { UserCtx } from '../../../context.ts'
import { invalidState, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findSite } from '../../site/find-site.ts'
import { findUpload } from '../find-upload.ts'
import { applyActiveContentSetting } from '../inspection/scan-and-inspect.ts'
import { READER_VERSION } from '../readings/kept-reading.ts'
import { selectReading } from '../readings/readings.db.ts'
import { recordOpening } from '../released/record-opening.ts'
import { canPreviewDraft } from '../uploads.access.ts'
import { type FileRow, selectFiles, type UploadRow } from '../uploads.db.ts'
import { selectFile } from './files.db.ts'

export type FileUse = 'download' | 'preview'

type FoundFile = { file: FileRow; upload: UploadRow }
type FoundFiles = { files: readonly FileRow[]; upload: UploadRow }

/**
 * Returns a file of an upload that the actor may read. Throws NOT_FOUND if there is none or it has no
 * preview, and CONFLICT while the file is unchecked or in quarantine, except for
 * the preview of a draft's file by its author once it was read.
 */
export async function getFile(ctx: UserCtx, id: string, use: FileUse): Promise<FoundFile> {
  const stored = isId(id) ? await selectFile(ctx.db, id) : undefined
  const upload = stored && (await findUpload(ctx, stored.upload_id))
  if (!stored || !upload) throw notFound('file')
  const read = use === 'preview' && canPreviewDraft(ctx.actor, upload) ? await findRead(ctx, stored) : null
  const file = read ?? stored
  if (!read) assertChecked(upload, [file])
  if (use === 'preview' && file.kind !== 'pdf' && file.kind !== 'image') throw notFound('preview')
  return { file, upload }
}

/**
 * Returns all files of an upload that the actor may read. Throws like `getFile`, and NOT_FOUND if there are
 * none.
 */
export async function getFiles(ctx: UserCtx, uploadId: string): Promise<FoundFiles> {
  const upload = await findUpload(ctx, uploadId)
  if (!upload) throw notFound('upload')
  const files = await selectFiles(ctx.db, uploadId)
  assertChecked(upload, files)
  if (files.length === 0) throw notFound('files')
  return { files, upload }
}

/**
 * Returns a file after recording the access in the audit log and, for an institution, marking its upload as
 * opened.
 */
export async function openFile(ctx: UserCtx, id: string, use: FileUse): Promise<FileRow> {
  const { file, upload } = await getFile(ctx, id, use)
  await recordOpening(ctx, upload, { downloaded: use === 'download' }, (tx) =>
    recordAudit(tx, {
      action: use === 'download' ? 'file.download' : 'file.preview',
      subject: { type: 'file', id },
      patientId: upload.patient_id,
    }),
  )
  return file
}

/**
 * Returns all files of an upload after recording the download and, for an institution, marking the upload as
 * opened.
 */
export async function openFiles(ctx: UserCtx, uploadId: string): Promise<FoundFiles> {
  const { files, upload } = await getFiles(ctx, uploadId)
  await recordOpening(ctx, upload, { downloaded: true }, (tx) =>
    recordAudit(tx, {
      action: 'upload.download',
      subject: { type: 'upload', id: uploadId },
      subjectIds: files.map(({ id }) => id),
      patientId: upload.patient_id,
    }),
  )
  return { files, upload }
}

/** Returns a file with the kind and type that its reading has found; null if it was not read, or will be refused. */
async function findRead({ db }: UserCtx, file: FileRow): Promise<FileRow | null> {
  if (file.scan_result !== 'pending') return null
  const inspection = await selectReading(db, file.id, READER_VERSION)
  const judged = inspection && applyActiveContentSetting(inspection, await findSite(db))
  return judged?.accepted ? { ...file, kind: judged.kind, type: judged.type } : null
}

const UNCHECKED: ReadonlySet<string> = new Set(['receiving', 'checking', 'quarantined'])

/**
 * Checks the upload's state and each file's result: an upload may be withdrawn before its files are
 * inspected.
 */
function assertChecked({ state }: UploadRow, files: readonly FileRow[]): void {
  if (!UNCHECKED.has(state) && files.every(({ scan_result }) => isAccepted(scan_result))) return
  throw invalidState(
    'files not checked',
    'Fișierele nu sunt încă verificate sau au fost oprite în carantină.',
  )
}
