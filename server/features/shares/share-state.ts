import type { ShareRow } from './shares.db.ts'

export type ShareState = 'live' | 'locked' | 'closed' | 'expired' | 'ended'

/**
 * Returns the state of a share as staff see it. `closed`: its maker or the site may no longer share, or patients do not see the
 * categories of its results.
 */
export function stateOf(
  share: Pick<ShareRow, 'ended_why' | 'ended_at' | 'expires_at' | 'locked_until' | 'is_open'>,
  now: Date,
): ShareState {
  if (share.ended_why === 'expired' || (!share.ended_at && share.expires_at <= now)) return 'expired'
  if (share.ended_at) return 'ended'
  if (share.locked_until && share.locked_until > now) return 'locked'
  return share.is_open ? 'live' : 'closed'
}
