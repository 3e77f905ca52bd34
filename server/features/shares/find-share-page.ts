import { maskEmail } from '../../../shared/email.ts'
import type { ShareProof } from '../../../shared/site/setting-bounds.ts'
import type { Ctx } from '../../context.ts'
import { findVisit, type ReadShareCookie, toRecipient, type Visit } from './find-recipient.ts'
import { stateOf } from './share-state.ts'
import { selectSharedFiles } from './shares.db.ts'

export const PAGE_STATES = ['proof', 'open', 'closed'] as const
export const CLOSED_REASONS = ['expired', 'ended', 'locked', 'used_up', 'unavailable'] as const

export type SharePage = {
  state: (typeof PAGE_STATES)[number]
  proof: ShareProof | null
  emailMasked: string | null
  expiresAt: Date | null
  /** Only for a browser in which the share was proved once. */
  closedReason: (typeof CLOSED_REASONS)[number] | null
  lockedUntil: Date | null
  /** Of an open share; an open page reads its results again once they change. */
  fileIds: string[]
}

const CLOSED: SharePage = {
  state: 'closed',
  proof: null,
  emailMasked: null,
  expiresAt: null,
  closedReason: null,
  lockedUntil: null,
  fileIds: [],
}

/**
 * Returns what a link shows before its proof, to anybody: reading it counts as nothing. To a stranger an unknown, expired, ended
 * or locked share is the same; a browser in which it was proved once learns which.
 */
export async function findSharePage(
  ctx: Ctx,
  token: string,
  readCookie: ReadShareCookie,
): Promise<SharePage> {
  const visit = await findVisit(ctx, token, readCookie)
  const { link, session } = visit
  if (link?.is_open) {
    const { proof, email, expires_at: expiresAt } = link
    const recipient = toRecipient(ctx, visit)
    if (recipient) {
      const fileIds = (await selectSharedFiles(recipient.db)).map(({ id }) => id)
      return { ...CLOSED, state: 'open', expiresAt, fileIds }
    }
    if (link.max_openings === null || link.openings < link.max_openings) {
      const emailMasked = proof === 'email' && email ? maskEmail(email) : null
      return { ...CLOSED, state: 'proof', proof, emailMasked, expiresAt }
    }
  }
  if (!link || !session) return CLOSED
  const closedReason = reasonOf(link, ctx.now)
  return { ...CLOSED, closedReason, lockedUntil: closedReason === 'locked' ? link.locked_until : null }
}

function reasonOf(link: NonNullable<Visit['link']>, now: Date): SharePage['closedReason'] {
  const state = stateOf(link, now)
  switch (state) {
    case 'live':
      return 'used_up'
    case 'closed':
      return 'unavailable'
    case 'ended':
      return link.ended_why === 'uploads' ? 'unavailable' : 'ended'
    default:
      return state
  }
}
