import type { UserActor } from '../../../context.ts'
import type { Db } from '../../../platform/database/database.ts'
import { selectUser } from '../accounts.db.ts'

const NEVER = new Date(0)

/**
 * Returns the account in whose name a job works that it has started, with its role and no feature and institution; null if
 * it is not active any more.
 */
export async function findJobActor(db: Db, userId: string): Promise<UserActor | null> {
  const user = await selectUser(db, userId)
  if (user?.effective_status !== 'active') return null
  const { id, name, email, role } = user
  return {
    kind: 'user',
    id,
    name,
    email,
    role,
    features: new Set(),
    mayAcceptOwn: false,
    institutionIds: [],
    sessionId: '',
    provedAt: NEVER,
    lastSeenAt: NEVER,
  }
}
