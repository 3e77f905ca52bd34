import { type Ctx, type RecipientActor, withActor, withShares } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import { hashLink } from './share-link.ts'
import { isSessionOpen, type LinkRow, selectLink, selectSession } from './shares.db.ts'

export type RecipientCtx = Ctx<RecipientActor>

/** Returns the token of the cookie that names the share; null without one. */
export type ReadShareCookie = (shareId: string) => string | null

/** The share of a link, and the session in which this browser has proved it; `isLive`: within its hour. */
export type Visit = {
  link: LinkRow | undefined
  session: { id: string; isLive: boolean } | null
}

/** Returns what a browser is to the share of a link. */
export async function findVisit(ctx: Ctx, token: string, readCookie: ReadShareCookie): Promise<Visit> {
  const { db } = withShares(ctx)
  const link = await selectLink(db, hashLink(ctx, token))
  const cookie = link && readCookie(link.id)
  const session = cookie ? await selectSession(db, link.id, hashToken(cookie)) : undefined
  return { link, session: session ? { id: session.id, isLive: session.expires_at > ctx.now } : null }
}

/** Returns the context of the recipient who has proved the share of the link in this browser, as `toRecipient`. */
export const findRecipient = async (
  ctx: Ctx,
  token: string,
  readCookie: ReadShareCookie,
): Promise<RecipientCtx | null> => toRecipient(ctx, await findVisit(ctx, token, readCookie))

/**
 * Returns the context of the recipient with the database as the recipient sees it; null if the proof is missing or over, or the
 * share is closed.
 */
export function toRecipient(ctx: Ctx, { link, session }: Visit): RecipientCtx | null {
  if (!link?.is_open || !session?.isLive) return null
  return withActor<RecipientActor>(ctx, {
    kind: 'recipient',
    shareId: link.id,
    sessionId: session.id,
    patientId: link.patient_id,
    name: link.recipient_name,
  })
}

/** Returns the context with the time of now. Throws NOT_FOUND if the proof is over or the share is closed. */
export async function renewRecipient(ctx: RecipientCtx): Promise<RecipientCtx> {
  if (!(await isSessionOpen(withShares(ctx).db, ctx.actor.sessionId))) throw notFound('share')
  return { ...ctx, now: new Date() }
}
