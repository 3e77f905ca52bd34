import { isAccepted } from '../../../../shared/uploads/files.ts'
import type { UserCtx } from '../../../context.ts'
import { invalidState, notFound } from '../../../errors.ts'
import { isId } from '../../../platform/ids.ts'
import { recordAudit } from '../../audit/record-audit.ts'
import { findUpload } from '../find-upload.ts'
import { recordOpening } from '../released/record-opening.ts'
import { type FileRow, selectFiles, type UploadRow } from '../uploads.db.ts'
import { selectFile } from './files.db.ts'

export type FileUse = 'download' | 'preview'

type FoundFile = { file: FileRow; upload: UploadRow }
type FoundFiles = { files: readonly FileRow[]; upload: UploadRow }

/**
 * Returns a file of an upload that the actor may read. Throws NOT_FOUND if there is none or it has no
 * preview, and CONFLICT while the file is unchecked or in quarantine.
 */
export async function getFile(ctx: UserCtx, id: string, use: FileUse): Promise<FoundFile> {
  const file = isId(id) ? await selectFile(ctx.db, id) : undefined
  const upload = file && (await findUpload(ctx, file.upload_id))
  if (!file || !upload) throw notFound('file')
  assertChecked(upload, [file])
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
