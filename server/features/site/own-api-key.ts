import { type Ctx, inTransaction } from '../../context.ts'
import { deriveKey, hashToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { replaceOwnApiKey } from './api-keys.db.ts'
import { KEY_PREFIX, keyHint } from './create-api-key.ts'

const NAME = 'Dosar – paginile publice'

/**
 * The key of the product's own public pages. Made from the secret, so every server process knows it and none stores it;
 * a new secret makes a new one. It is handed to every visitor and opens what every visitor may see.
 */
export const ownApiKey = (secret: Buffer): string =>
  `${KEY_PREFIX}${deriveKey(secret, 'api-key: public pages').toString('base64url')}`

/** At the start of a server: the own key is a row like any other; one of an earlier secret ends. */
export function ensureOwnApiKey(ctx: Ctx, secret: Buffer): Promise<void> {
  const key = ownApiKey(secret)
  return inTransaction(ctx, ({ db, now }) =>
    replaceOwnApiKey(db, {
      id: newId(),
      name: NAME,
      key_hash: hashToken(key),
      hint: keyHint(key),
      created_at: now,
    }),
  )
}
