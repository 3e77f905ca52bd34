import type { Db } from '../../platform/database/database.ts'

/** Selects all keys, revoked ones included, newest first; keys of the product itself have no author. */
export const selectApiKeys = (db: Db) =>
  db
    .selectFrom('api_key')
    .leftJoin('app_user', 'app_user.id', 'api_key.created_by')
    .select([
      'api_key.id',
      'api_key.name',
      'api_key.hint',
      'api_key.created_by',
      'app_user.name as author_name',
      'api_key.created_at',
      'api_key.last_used_at',
      'api_key.revoked_at',
    ])
    .orderBy('api_key.created_at', 'desc')
    .orderBy('api_key.id', 'desc')
    .execute()

export type ApiKeyRow = Awaited<ReturnType<typeof selectApiKeys>>[number]

/** Selects the unrevoked key with this hash. */
export const selectApiKeyByHash = (db: Db, keyHash: Buffer) =>
  db
    .selectFrom('api_key')
    .where('key_hash', '=', keyHash)
    .where('revoked_at', 'is', null)
    .select(['id', 'name', 'created_by', 'last_used_at'])
    .executeTakeFirst()

export const lockApiKey = (db: Db, id: string) =>
  db
    .selectFrom('api_key')
    .where('id', '=', id)
    .select(['id', 'name', 'created_by', 'revoked_at'])
    .forUpdate()
    .executeTakeFirst()

export const insertApiKey = (
  db: Db,
  key: { id: string; name: string; key_hash: Buffer; hint: string; created_by: string; created_at: Date },
) => db.insertInto('api_key').values(key).execute()

/** Returns the hashes of the product's own keys that are valid. */
export async function selectOwnKeyHashes(db: Db): Promise<Buffer[]> {
  const keys = await db
    .selectFrom('api_key')
    .where('created_by', 'is', null)
    .where('revoked_at', 'is', null)
    .select('key_hash')
    .execute()
  return keys.map(({ key_hash }) => key_hash)
}

/** Stores the product's own key and revokes its earlier ones. */
export async function replaceOwnApiKey(
  db: Db,
  key: { id: string; name: string; key_hash: Buffer; hint: string; created_at: Date },
): Promise<void> {
  await db
    .insertInto('api_key')
    .values(key)
    .onConflict((on) => on.column('key_hash').doUpdateSet({ revoked_at: null }))
    .execute()
  await db
    .updateTable('api_key')
    .set({ revoked_at: key.created_at })
    .where('created_by', 'is', null)
    .where('revoked_at', 'is', null)
    .where('key_hash', '<>', key.key_hash)
    .execute()
}

export const updateApiKeyRevoked = (db: Db, id: string, now: Date) =>
  db.updateTable('api_key').set({ revoked_at: now }).where('id', '=', id).execute()

export const touchApiKey = (db: Db, id: string, now: Date) =>
  db.updateTable('api_key').set({ last_used_at: now }).where('id', '=', id).execute()
