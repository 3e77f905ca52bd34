import { z } from 'zod'
import type { UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { type Page, type PageArgs, parsePage, toPage } from '../../graphql/connections.ts'
import { optionalOneOf, parseInput } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { decryptBody } from './message-body.ts'
import { canManageMessages } from './messages.access.ts'
import { MESSAGE_STATES, type MessageRow, selectMessages } from './messages.db.ts'

const filter = z.object({ state: optionalOneOf('Starea', MESSAGE_STATES) })

/** The outgoing mail, newest first: administrators only, and the journal keeps which messages were shown. */
export async function listMessages(
  ctx: UserCtx,
  args: PageArgs & { state?: string | null | undefined },
): Promise<Page<MessageRow>> {
  if (!canManageMessages(ctx.actor)) throw forbidden('list messages')
  const { state } = parseInput(filter, { state: args.state })
  const request = parsePage(args, 2)
  const rows = await selectMessages(ctx.db, state, request)
  const page = toPage(rows, request, ({ created_at, id }) => [created_at.toISOString(), id])
  await recordAudit(ctx, { action: 'message.list', subjectIds: page.nodes.map(({ id }) => id) })
  return page
}

/**
 * What a kept message says. Only without a mail server, where an administrator has to pass it on; once one is set up,
 * nobody reads somebody else's link.
 */
export function readStoredText(ctx: UserCtx, { state, body }: MessageRow): string | null {
  if (!canManageMessages(ctx.actor) || ctx.services.mailer || state !== 'queued' || !body) return null
  return decryptBody(ctx, body)?.text ?? null
}
