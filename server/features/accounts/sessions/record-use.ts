import type { UserActor } from '../../../context.ts'
import type { Db } from '../../../platform/database/database.ts'
import { touchSession } from './sessions.db.ts'

/** Precision of a session's last use. */
const USE_STEP_MS = 60_000

/**
 * Records that the user has used the session, at most once a minute; a session without use ends. Not called for what an open
 * page does by itself: refreshing its session and its token, the websocket, the queries of our own pages, which report the
 * use by their user instead.
 */
export async function recordUse(db: Db, { sessionId, lastSeenAt }: UserActor, now: Date): Promise<void> {
  const before = new Date(now.getTime() - USE_STEP_MS)
  if (lastSeenAt < before) await touchSession(db, sessionId, before, now)
}
