import { LIMITS } from '../../../shared/limits.ts'
import { type UserCtx, withSending } from '../../context.ts'
import { forbidden, notFound } from '../../errors.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { findChangeableUploads, getChangeableUpload } from '../uploads/find-upload.ts'
import { canSend, isOwn } from '../uploads/uploads.access.ts'
import type { UploadRow } from '../uploads/uploads.db.ts'
import { selectDraftIds } from './sent-uploads.db.ts'

/** Returns an upload that the actor sends or has sent. Throws NOT_FOUND for any other. */
export async function getSentDraft(ctx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await getChangeableUpload(withSending(ctx), id)
  if (!isOwn(ctx.actor, upload)) throw notFound('sent upload')
  return upload
}

/** Returns an upload that the actor sends, and records the reading. */
export async function readSentDraft(ctx: UserCtx, id: string): Promise<UploadRow> {
  const upload = await getSentDraft(ctx, id)
  await recordAudit(ctx, {
    action: 'upload.read',
    subject: { type: 'upload', id },
    patientId: upload.patient_id,
  })
  return upload
}

/** Returns the uploads that the actor has begun to send and not submitted, the newest first. */
export async function listSentDrafts(ctx: UserCtx): Promise<UploadRow[]> {
  if (!canSend(ctx.actor)) throw forbidden('list sent drafts')
  const sender = { userId: ctx.actor.id, institutionIds: ctx.actor.sendingInstitutionIds }
  const ids = await selectDraftIds(withSending(ctx).db, sender, LIMITS.sentDrafts)
  const drafts = await findChangeableUploads(withSending(ctx), ids)
  await recordAudit(ctx, { action: 'upload.list', subjectIds: ids })
  return drafts
}
