import { LIMITS } from '../../../shared/limits.ts'
import type { MessageState } from '../../../shared/messages/message-states.ts'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { decryptBody } from './message-body.ts'
import { canManageMessages } from './messages.access.ts'
import {
  countUndeliveredSince,
  type MessageRow,
  selectLastUndelivered,
  selectMessages,
  type UndeliveredMessage,
} from './messages.db.ts'

/** Since when an undelivered mail needs somebody. */
const lately = ({ now }: UserCtx): Date => new Date(now.getTime() - LIMITS.alarmDays * 24 * 3_600_000)

/**
 * Returns outgoing mail, newest first, for administrators. The audit log records which messages were shown.
 */
export async function listMessages(
  ctx: UserCtx,
  args: PageArgs & { state?: MessageState | null | undefined; undelivered?: boolean | null | undefined },
): Promise<Page<MessageRow>> {
  if (!canManageMessages(ctx.actor)) throw forbidden('list messages')
  const request = parsePage(args)
  const rows = await selectMessages(
    ctx.db,
    { state: args.state ?? null, undeliveredSince: args.undelivered ? lately(ctx) : null },
    request,
  )
  const page = toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id])
  await recordAudit(ctx, { action: 'message.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/** Counts what `undelivered` of `listMessages` lists, up to `LIMITS.shownCount`, for administrators. Names nobody. */
export async function countUndelivered(ctx: UserCtx): Promise<number> {
  if (!canManageMessages(ctx.actor)) throw forbidden('count messages')
  return countUndeliveredSince(ctx.db, lately(ctx), LIMITS.shownCount)
}

/**
 * Returns the mail that `countUndelivered` counts, for administrators; for others what failed of what they have caused. The
 * last that failed first, without its recipients, and without an audit row.
 */
export const findUndelivered = (ctx: UserCtx, limit: number): Promise<UndeliveredMessage[]> =>
  selectLastUndelivered(
    ctx.db,
    { causedBy: canManageMessages(ctx.actor) ? null : ctx.actor.id, since: lately(ctx) },
    limit,
  )

/**
 * Returns the text of a queued message for administrators while no mail server is configured, so that they
 * can pass it on; null otherwise. With a mail server only the recipient may read the link in it.
 */
export function readStoredText(ctx: UserCtx, { state, body }: MessageRow): string | null {
  if (!canManageMessages(ctx.actor) || ctx.services.mailer || state !== 'queued' || !body) return null
  return decryptBody(ctx, body)?.text ?? null
}
