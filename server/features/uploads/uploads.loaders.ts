import { isAccepted } from '../../../shared/uploads/files.ts'
import type { Ctx, UserCtx } from '../../context.ts'
import { batchRows } from '../../platform/database/batcher.ts'
import { type RemovedFileRow, selectRemovedFiles } from './files/files.db.ts'
import { type FactRow, selectFactsOf } from './inspection/facts.db.ts'
import { selectFilesWithThumbnail } from './thumbnails/thumbnails.db.ts'
import { canCreateUploads, canReadRemovedFiles } from './uploads.access.ts'
import {
  type FileRow,
  selectFiles,
  selectFilesOf,
  selectUnfinishedTransfers,
  type TransferRow,
  type UploadRow,
} from './uploads.db.ts'

const filesOf = batchRows(
  selectFilesOf,
  (uploadId) => uploadId,
  (file) => file.upload_id,
)
const factsOf = batchRows(
  selectFactsOf,
  (fileId: string) => fileId,
  (fact) => fact.file_id,
)
const transfersOf = batchRows(
  selectUnfinishedTransfers,
  ({ uploadId, userId }) => `${uploadId} ${userId}`,
  ({ upload_id, user_id }) => `${upload_id} ${user_id}`,
)
const thumbnailsOf = batchRows(
  selectFilesWithThumbnail,
  (fileId) => fileId,
  ({ id }) => id,
)

/** Returns what a checked file says of its patient; the calls for a list share one statement. */
export const loadFacts = async (
  { db }: UserCtx,
  { id, scan_result }: FileRow,
): Promise<readonly FactRow[]> => (isAccepted(scan_result) ? factsOf(db, id) : [])

/** Returns the files of an upload that the actor may read; the calls for a list share one statement. */
export const loadFiles = ({ db }: UserCtx, { id }: UploadRow): Promise<readonly FileRow[]> => filesOf(db, id)

/** Returns the files of an upload, for verbs that have read it with the actor's scope. */
export const findFiles = ({ db }: Ctx, uploadId: string): Promise<readonly FileRow[]> =>
  selectFiles(db, uploadId)

/** Returns the files of several uploads, for verbs that have read them with the actor's scope. */
export const findFilesOfUploads = ({ db }: Ctx, uploadIds: readonly string[]): Promise<FileRow[]> =>
  selectFilesOf(db, uploadIds)

/**
 * Returns the actor's own unfinished transfers to an upload; none for users who send no files. The calls for a
 * list share one statement.
 */
export const loadTransfers = async (
  { db, actor }: UserCtx,
  { id }: UploadRow,
): Promise<readonly TransferRow[]> =>
  canCreateUploads(actor) ? transfersOf(db, { uploadId: id, userId: actor.id }) : []

/** Returns the actor's own unfinished transfers to several uploads. */
export const findUnfinishedTransfers = (
  { db, actor }: UserCtx,
  uploadIds: readonly string[],
): Promise<TransferRow[]> =>
  selectUnfinishedTransfers(
    db,
    uploadIds.map((uploadId) => ({ uploadId, userId: actor.id })),
  )

/** Returns the removed files of an upload that can be restored; none for readers who may not see them. */
export const loadRemovedFiles = async (
  ctx: UserCtx,
  upload: UploadRow,
): Promise<readonly RemovedFileRow[]> =>
  canReadRemovedFiles(ctx.actor, upload) ? selectRemovedFiles(ctx.db, upload.id) : []

/** Returns whether a file has a thumbnail; the calls for a list share one statement. */
export const loadHasThumbnail = async ({ db }: UserCtx, { id }: FileRow): Promise<boolean> =>
  (await thumbnailsOf(db, id)).length > 0
