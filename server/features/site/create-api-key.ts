import { z } from 'zod'
import { inTransaction, type UserCtx } from '../../context.ts'
import { forbidden } from '../../errors.ts'
import { requireFreshProof } from '../../fresh-proof.ts'
import { hashToken, newToken } from '../../platform/crypto/keys.ts'
import { newId } from '../../platform/ids.ts'
import { parseInput, requiredText } from '../../validation.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { ApiKeyRow } from './api-keys.db.ts'
import { insertApiKey } from './api-keys.db.ts'
import { canManageApiKeys } from './site.access.ts'

/** The prefix of every key, so that people and secret scanners recognise one. */
export const KEY_PREFIX = 'dk_'
const HINT_LENGTH = 4

export const keyHint = (key: string): string => key.slice(-HINT_LENGTH)

const input = z.object({ name: requiredText('Numele') })

/**
 * Creates an API key for a program [6.5], for administrators. Returns the key, 256 random bits, only this
 * once: its hash and last four characters are stored.
 */
export async function createApiKey(
  ctx: UserCtx,
  args: { name: string },
): Promise<{ key: string; apiKey: ApiKeyRow }> {
  if (!canManageApiKeys(ctx.actor)) throw forbidden('create api key')
  requireFreshProof(ctx)
  const { name } = parseInput(input, args)
  const id = newId()
  const key = `${KEY_PREFIX}${newToken()}`
  const row = { id, name, hint: keyHint(key), created_by: ctx.actor.id, created_at: ctx.now }
  await inTransaction(ctx, async (tx) => {
    await insertApiKey(tx.db, { ...row, key_hash: hashToken(key) })
    await recordAudit(tx, {
      action: 'api-key.create',
      subject: { type: 'api-key', id },
      changes: { name: { to: name } },
    })
  })
  return { key, apiKey: { ...row, author_name: ctx.actor.name, last_used_at: null, revoked_at: null } }
}
