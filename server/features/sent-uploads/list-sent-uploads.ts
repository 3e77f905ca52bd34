import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { canSend } from '../uploads/uploads.access.ts'
import {
  type RejectedUpload,
  type SentUploadRow,
  selectRejectedOf,
  selectSentUploads,
} from './sent-uploads.db.ts'

/** Returns what users of the actor's institutions that may send files have sent and submitted, newest first. */
export async function listSentUploads(ctx: UserCtx, args: PageArgs): Promise<Page<SentUploadRow>> {
  if (!canSend(ctx.actor)) throw forbidden('list sent uploads')
  const request = parsePage(args)
  const rows = await selectSentUploads(ctx.db, ctx.actor.sendingInstitutionIds, request)
  const page = toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id])
  await recordAudit(ctx, { action: 'upload.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/** Returns what the actor has sent and what was rejected, the last first, without the patient and without an audit row. */
export async function findRejectedSent({ actor, db }: UserCtx, limit: number): Promise<RejectedUpload[]> {
  if (!canSend(actor)) throw forbidden('find rejected uploads')
  return selectRejectedOf(db, actor.id, limit)
}
