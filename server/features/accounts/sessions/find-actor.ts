import { FEATURES, featuresInForce } from '../../../../shared/access/features.ts'
import type { UserActor } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { createBatcherPerPool } from '../../../platform/database/batcher.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isId } from '../../../platform/ids.ts'
import { type ActorRow, selectActorByToken, selectActorsBySessions } from '../accounts.db.ts'
import { touchSession } from './sessions.db.ts'

/** Precision of a session's last-seen time. */
const LAST_SEEN_STEP_MS = 60_000

export type SessionActor = { actor: UserActor; expiresAt: Date }

function toActor(row: ActorRow): SessionActor {
  const siteFeatures = Array.isArray(row.site_features) ? row.site_features.map(String) : FEATURES
  return {
    actor: {
      kind: 'user',
      id: row.id,
      name: row.name,
      email: row.email,
      role: row.role,
      features: featuresInForce(row.role, row.features, siteFeatures),
      mayAcceptOwn: row.self_review === true,
      institutionIds: row.institution_ids,
      sessionId: row.session_id,
    },
    expiresAt: row.expires_at,
  }
}

/** Updates the session's last-seen time at most once a minute, not at every request. */
async function touchIfStale(db: Db, row: ActorRow, now: Date): Promise<SessionActor> {
  const before = new Date(now.getTime() - LAST_SEEN_STEP_MS)
  if (row.last_seen_at < before) await touchSession(db, row.session_id, before, now)
  return toActor(row)
}

/**
 * Reads sessions from the database for every request, never from a cache; concurrent requests share one
 * statement.
 */
const readActor = createBatcherPerPool(
  async (db: Db, requested: readonly { sessionId: string; now: Date }[]) => {
    const sessionIds = [...new Set(requested.map(({ sessionId }) => sessionId))]
    const rows = await selectActorsBySessions(db, { sessionIds, now: requested.at(-1)!.now })
    const found = new Map(rows.map((row) => [row.session_id, row]))
    return requested.map(({ sessionId }) => found.get(sessionId))
  },
)

/**
 * Returns the actor of the session that an id_token names; null if the session has ended or its account is
 * not active.
 */
export async function findActorBySession(db: Db, sessionId: string, now: Date): Promise<SessionActor | null> {
  const row = isId(sessionId) ? await readActor(db, { sessionId, now }) : undefined
  return row ? touchIfStale(db, row, now) : null
}

/** Returns the actors of the given sessions that are still live, by session id. */
export async function findActorsBySessions(
  db: Db,
  sessionIds: readonly string[],
  now: Date,
): Promise<Map<string, UserActor>> {
  const rows = await selectActorsBySessions(db, { sessionIds, now })
  return new Map(rows.map((row) => [row.session_id, toActor(row).actor]))
}

/** Returns the actor of the session cookie's token; null if there is no live session. */
export async function findActorByToken(db: Db, token: string, now: Date): Promise<SessionActor | null> {
  const row = await selectActorByToken(db, hashToken(token), now)
  return row ? touchIfStale(db, row, now) : null
}
