import { FEATURES, featuresInForce } from '../../../../shared/access/features.ts'
import type { UserActor } from '../../../context.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'
import { createBatcherPerPool } from '../../../platform/database/batcher.ts'
import type { Db } from '../../../platform/database/database.ts'
import { isId } from '../../../platform/ids.ts'
import {
  type ActorRow,
  selectActiveAccount,
  selectActorByToken,
  selectActorsBySessions,
} from '../accounts.db.ts'
import { isIdle } from './idle.ts'

export type SessionActor = { actor: UserActor; expiresAt: Date }

type AccountRow = NonNullable<Awaited<ReturnType<typeof selectActiveAccount>>>

function rightsOf(row: AccountRow) {
  const siteFeatures = Array.isArray(row.site_features) ? row.site_features.map(String) : FEATURES
  return {
    kind: 'user',
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    features: featuresInForce(row.role, row.features, siteFeatures),
    mayAcceptOwn: row.self_review === true,
    institutionIds: row.institution_ids,
    sendingInstitutionIds: row.sending_institution_ids,
  } as const
}

function toActor(row: ActorRow): SessionActor {
  return {
    actor: {
      ...rightsOf(row),
      sessionId: row.session_id,
      provedAt: row.proved_at,
      lastSeenAt: row.last_seen_at,
    },
    expiresAt: row.expires_at,
  }
}

/** Returns null for a session that has ended because it was not used. */
const toLiveActor = (row: ActorRow | undefined, now: Date): SessionActor | null =>
  row && !isIdle(row, now) ? toActor(row) : null

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
  return toLiveActor(row, now)
}

/** Returns the actors of the given sessions that are still live, by session id. */
export async function findActorsBySessions(
  db: Db,
  sessionIds: readonly string[],
  now: Date,
): Promise<Map<string, UserActor>> {
  const rows = await selectActorsBySessions(db, { sessionIds, now })
  return new Map(
    rows.flatMap((row) => {
      const live = toLiveActor(row, now)
      return live ? [[row.session_id, live.actor] as const] : []
    }),
  )
}

/**
 * Returns the account as an actor with its rights of now, for a job that continues what the user has started; null
 * unless the account is active. The actor has no session, and no proof of identity.
 */
export async function findActorOfAccount(db: Db, userId: string): Promise<UserActor | null> {
  const row = await selectActiveAccount(db, userId)
  return row ? { ...rightsOf(row), sessionId: '', provedAt: NEVER, lastSeenAt: NEVER } : null
}

const NEVER = new Date(0)

/** Returns the actor of the session cookie's token; null if there is no live session. */
export async function findActorByToken(db: Db, token: string, now: Date): Promise<SessionActor | null> {
  return toLiveActor(await selectActorByToken(db, hashToken(token), now), now)
}
