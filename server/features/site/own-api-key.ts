import { type Ctx, inTransaction } from '../../context.ts'
import { deriveKey, hashToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { replaceOwnApiKey, selectOwnKeyHashes } from './api-keys.db.ts'
import { KEY_PREFIX, keyHint } from './create-api-key.ts'

const NAME = 'Dosar – paginile publice'

/**
 * Returns the key of the product's own public pages, derived from the secret, so that every server process
 * can compute it and none stores it. Every visitor receives it; it gives access only to what every visitor
 * may see.
 */
export const ownApiKey = (secret: Buffer): string =>
  `${KEY_PREFIX}${deriveKey(secret, 'api-key: public pages').toString('base64url')}`

/** Stores the product's own key at the server's start and revokes the key of an earlier secret; writes nothing if that is the stored state. */
export async function ensureOwnApiKey(ctx: Ctx, secret: Buffer): Promise<void> {
  const key = ownApiKey(secret)
  const keyHash = hashToken(key)
  const stored = await selectOwnKeyHashes(ctx.db)
  if (stored.length === 1 && stored[0]?.equals(keyHash)) return
  await inTransaction(ctx, ({ db, now }) =>
    replaceOwnApiKey(db, {
      id: newId(),
      name: NAME,
      key_hash: keyHash,
      hint: keyHint(key),
      created_at: now,
    }),
  )
}
