import type { PublicActor } from '../../context.ts'
import { hashToken, isUseOutdated } from '../../platform/crypto/keys.ts'
import type { Db } from '../../platform/database/database.ts'
import { selectApiKeyByHash, touchApiKey } from './api-keys.db.ts'

const KEY = /^dk_[A-Za-z0-9_-]{43}$/

/** Returns the program that the key was issued for; null for a malformed, unknown or revoked key. */
export async function findApiKey(db: Db, key: string, now: Date): Promise<PublicActor | null> {
  const row = KEY.test(key) ? await selectApiKeyByHash(db, hashToken(key)) : undefined
  if (!row) return null
  if (isUseOutdated(row.last_used_at, now)) await touchApiKey(db, row.id, now)
  return { kind: 'public', keyId: row.id, name: row.name, ofPages: row.created_by === null }
}
