import { inTransaction, withShares } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { isId, newId } from '../../platform/ids.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { type PatientNews, readNewsForPatient } from '../news/read-news-for-patient.ts'
import { holdUploads } from '../uploads/released/record-opening.ts'
import type { RecipientCtx } from './find-recipient.ts'
import {
  deleteSession,
  type EventRow,
  insertEvent,
  isForPatient,
  type SharedFileRow,
  type SharedUploadRow,
  selectEvents,
  selectSharedFile,
  selectSharedFiles,
  selectSharedUploads,
} from './shares.db.ts'

export type SharedResults = {
  sessionId: string
  uploads: (SharedUploadRow & { files: SharedFileRow[] })[]
}

/**
 * Returns what is shared with the recipient, with the uploads held as by `openSharedFile`; null if the share was closed
 * meanwhile. The reading is recorded.
 */
export async function readSharedResults(ctx: RecipientCtx): Promise<SharedResults | null> {
  const idsOf = (uploads: readonly SharedUploadRow[]) => uploads.map(({ id }) => id)
  const ids = idsOf(await selectSharedUploads(ctx.db))
  return inTransaction(ctx, async (tx) => {
    await holdUploads(tx, ids)
    const [uploads, files] = [await selectSharedUploads(tx.db), await selectSharedFiles(tx.db)]
    if (uploads.length === 0) return null
    const byUpload = Map.groupBy(files, ({ upload_id }) => upload_id)
    await record(tx, 'share.results', idsOf(uploads))
    return {
      sessionId: tx.actor.sessionId,
      uploads: uploads.map((upload) => ({ ...upload, files: byUpload.get(upload.id) ?? [] })),
    }
  })
}

/** Returns who looked at the share of the recipient, the newest first. */
export const findOwnEvents = ({ db, actor }: RecipientCtx): Promise<EventRow[]> =>
  selectEvents(db, actor.shareId)

/**
 * Returns the news that staff have written for the patient, for a share with the patient or with a person whom the patient has
 * designated; none for others. The role of recipients does not read news.
 */
export async function readSharedNews(ctx: RecipientCtx): Promise<PatientNews[]> {
  const shares = withShares(ctx)
  const { patientId, shareId } = ctx.actor
  return (await isForPatient(shares.db, shareId)) ? readNewsForPatient(shares, patientId) : []
}

export type SharedUse = 'preview' | 'download'

/** Returns a file that is shared with the recipient. Throws NOT_FOUND if there is none, or it has no preview. */
export async function getSharedFile(
  { db }: RecipientCtx,
  id: string,
  use: SharedUse,
): Promise<SharedFileRow> {
  const file = isId(id) ? await selectSharedFile(db, id) : undefined
  if (!file) throw notFound('file')
  if (use === 'preview' && file.kind !== 'pdf' && file.kind !== 'image') throw notFound('preview')
  return file
}

/**
 * Returns a file after recording that the recipient gets it. Throws NOT_FOUND also if its upload has left the share meanwhile, so
 * that its openings are complete when it is moved.
 */
export async function openSharedFile(ctx: RecipientCtx, id: string, use: SharedUse): Promise<SharedFileRow> {
  const file = await getSharedFile(ctx, id, use)
  await inTransaction(ctx, async (tx) => {
    await holdUploads(tx, [file.upload_id])
    await getSharedFile(tx, id, use)
    await recordEvent(tx, use === 'download' ? 'downloaded' : 'previewed', file.id)
    await record(tx, use === 'download' ? 'share.download' : 'share.preview', [file.id])
  })
  return file
}

/** Returns all files that are shared with the recipient. Throws NOT_FOUND if there are none. */
export async function getSharedFiles({ db }: RecipientCtx): Promise<SharedFileRow[]> {
  const files = await selectSharedFiles(db)
  if (files.length === 0) throw notFound('files')
  return files
}

/** Returns all files after recording that the recipient gets them, with the uploads held as by `openSharedFile`. */
export async function openSharedFiles(ctx: RecipientCtx): Promise<SharedFileRow[]> {
  const uploadIds = (await getSharedFiles(ctx)).map(({ upload_id }) => upload_id)
  return inTransaction(ctx, async (tx) => {
    await holdUploads(tx, uploadIds)
    const files = await getSharedFiles(tx)
    await recordEvent(tx, 'downloaded_all')
    await record(
      tx,
      'share.download-all',
      files.map(({ id }) => id),
    )
    return files
  })
}

/** Ends the session of the recipient in this browser, which forgets that it once proved the share. */
export async function leaveShare(ctx: RecipientCtx): Promise<void> {
  const { shareId, sessionId, patientId } = ctx.actor
  await inTransaction(withShares(ctx), async (tx) => {
    await insertEvent(tx.db, { ...eventOf(ctx), kind: 'left' })
    await deleteSession(tx.db, sessionId)
    await recordAudit(tx, { action: 'share.leave', subject: { type: 'share', id: shareId }, patientId })
  })
}

const eventOf = ({ actor, now, request }: RecipientCtx) => ({
  id: newId(),
  share_id: actor.shareId,
  session_id: actor.sessionId,
  at: now,
  ip: request.ip,
  user_agent: request.userAgent,
})

const recordEvent = (
  tx: RecipientCtx,
  kind: 'previewed' | 'downloaded' | 'downloaded_all',
  fileId?: string,
) => insertEvent(tx.db, { ...eventOf(tx), kind, ...(fileId && { file_id: fileId }) })

const record = (
  ctx: RecipientCtx,
  action: 'share.results' | 'share.preview' | 'share.download' | 'share.download-all',
  subjectIds: readonly string[],
) =>
  recordAudit(ctx, {
    action,
    subject: { type: 'share', id: ctx.actor.shareId },
    subjectIds,
    patientId: ctx.actor.patientId,
  })
