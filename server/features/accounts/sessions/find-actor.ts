import { FEATURES, featuresInForce } from '../../../../shared/access/features.ts'
import type { UserActor } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { batchPerPool } from '../../../platform/database/coalesce.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isId } from '../../../platform/ids.ts'
import { type ActorRow, selectActorByToken, selectActorsBySessions } from '../accounts.db.ts'
import { touchSession } from './sessions.db.ts'

/** Milliseconds: how exactly it is known when a session was last used. */
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
      institutionIds: row.institution_ids,
      sessionId: row.session_id,
    },
    expiresAt: row.expires_at,
  }
}

/** Notes the use once a minute, not at every request. */
async function touchIfStale(db: Db, row: ActorRow, now: Date): Promise<SessionActor> {
  const before = new Date(now.getTime() - LAST_SEEN_STEP_MS)
  if (row.last_seen_at < before) await touchSession(db, row.session_id, before, now)
  return toActor(row)
}

/** Read anew for every request, for those that ask at the same time by one statement. */
const readActor = batchPerPool(async (db: Db, requested: readonly { sessionId: string; now: Date }[]) => {
  const sessionIds = [...new Set(requested.map(({ sessionId }) => sessionId))]
  const rows = await selectActorsBySessions(db, { sessionIds, now: requested.at(-1)!.now })
  const found = new Map(rows.map((row) => [row.session_id, row]))
  return requested.map(({ sessionId }) => found.get(sessionId))
})

/** The person of a session that an id_token names; null where either has ended since. */
export async function findActorBySession(db: Db, sessionId: string, now: Date): Promise<SessionActor | null> {
  const row = isId(sessionId) ? await readActor(db, { sessionId, now }) : undefined
  return row ? touchIfStale(db, row, now) : null
}

/** The people of those of these sessions that are still live, by the session's id. */
export async function findActorsBySessions(
  db: Db,
  sessionIds: readonly string[],
  now: Date,
): Promise<Map<string, UserActor>> {
  const rows = await selectActorsBySessions(db, { sessionIds, now })
  return new Map(rows.map((row) => [row.session_id, toActor(row).actor]))
}

/** The person of the session cookie's token. */
export async function findActorByToken(db: Db, token: string, now: Date): Promise<SessionActor | null> {
  const row = await selectActorByToken(db, hashToken(token), now)
  return row ? touchIfStale(db, row, now) : null
}
