import type { PublicActor } from '../../context.ts'
import { hashToken } from '../../platform/crypto/keys.ts'
import type { Db } from '../../platform/database/database.ts'
import { selectApiKeyByHash, touchApiKey } from './api-keys.db.ts'

const KEY = /^dk_[A-Za-z0-9_-]{43}$/
/** The last use of a key is stored at most once in this time. */
const TOUCH_INTERVAL_MS = 60_000

/** Returns the program that the key was issued for; null for a malformed, unknown or revoked key. */
export async function findApiKey(db: Db, key: string, now: Date): Promise<PublicActor | null> {
  const row = KEY.test(key) ? await selectApiKeyByHash(db, hashToken(key)) : undefined
  if (!row) return null
  if (!row.last_used_at || now.getTime() - row.last_used_at.getTime() >= TOUCH_INTERVAL_MS)
    await touchApiKey(db, row.id, now)
  return { kind: 'public', keyId: row.id, name: row.name, ofPages: row.created_by === null }
}
