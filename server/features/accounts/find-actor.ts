import { FEATURES, featuresInForce } from '../../../shared/features.ts'
import type { UserActor } from '../../context.ts'
import type { Db } from '../../platform/database.ts'
import { isId } from '../../platform/ids.ts'
import { hashToken } from '../../platform/keys.ts'
import { type ActorRow, selectActorBySession, selectActorByToken } from './accounts.db.ts'

export type SessionActor = { actor: UserActor; expiresAt: Date }

function toActor(row: ActorRow | undefined): SessionActor | null {
  if (!row) return null
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

/** The person of a session that an id_token names; null where either has ended since. */
export async function findActorBySession(db: Db, sessionId: string, now: Date): Promise<SessionActor | null> {
  return isId(sessionId) ? toActor(await selectActorBySession(db, sessionId, now)) : null
}

/** The person of the session cookie's token. */
export async function findActorByToken(db: Db, token: string, now: Date): Promise<SessionActor | null> {
  return toActor(await selectActorByToken(db, hashToken(token), now))
}
