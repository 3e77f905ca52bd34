import type { Insertable } from 'kysely'
import type { Db } from '../../../platform/database/database.ts'
import type { DB } from '../../../platform/database/types.generated.ts'

/** Selects the passkeys of an account, oldest first. */
export const selectPasskeys = (db: Db, userId: string) =>
  db
    .selectFrom('passkey')
    .where('user_id', '=', userId)
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .execute()

export type PasskeyRow = Awaited<ReturnType<typeof selectPasskeys>>[number]

export const selectPasskeyByCredential = (db: Db, credentialId: Buffer) =>
  db.selectFrom('passkey').where('credential_id', '=', credentialId).selectAll().executeTakeFirst()

/** Raises the version of the account, by which a concurrent change of its means of signing in is found. */
export const raiseUserVersion = (db: Db, userId: string, now: Date) =>
  db
    .updateTable('app_user')
    .set((eb) => ({ updated_at: now, version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .execute()

/** Stores a passkey; returns false if its credential is already stored. */
export const insertPasskey = async (db: Db, passkey: Insertable<DB['passkey']>): Promise<boolean> =>
  (await db
    .insertInto('passkey')
    .values(passkey)
    .onConflict((on) => on.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined

/**
 * Stores the use of a passkey with its new counter. Returns false if the counter has changed since it was read: of two uses
 * with one counter the second is of a copy.
 */
export const updatePasskeyUse = async (
  db: Db,
  { id, counter }: Pick<PasskeyRow, 'id' | 'counter'>,
  use: { counter: number; synced: boolean; now: Date },
): Promise<boolean> =>
  (await db
    .updateTable('passkey')
    .set({ counter: use.counter, synced: use.synced, last_used_at: use.now })
    .where('id', '=', id)
    .where('counter', '=', counter)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Renames a passkey of the account; returns its former name, or undefined if there is no such passkey. */
export async function updatePasskeyName(db: Db, userId: string, id: string, name: string) {
  const found = await db
    .selectFrom('passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .select('name')
    .forUpdate()
    .executeTakeFirst()
  if (found) await db.updateTable('passkey').set({ name }).where('id', '=', id).execute()
  return found?.name
}

/** Deletes a passkey of the account and returns it; undefined if there is no such passkey. */
export const deletePasskey = (db: Db, userId: string, id: string) =>
  db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst()

/** Deletes all passkeys of the account; returns whether there was one. */
export const deletePasskeys = async (db: Db, userId: string): Promise<boolean> =>
  (await db.deleteFrom('passkey').where('user_id', '=', userId).returning('id').execute()).length > 0

export const insertChallenge = (db: Db, challenge: Insertable<DB['passkey_challenge']>) =>
  db.insertInto('passkey_challenge').values(challenge).execute()

/** Deletes a challenge; returns whether it was valid for this purpose and binding. */
export const consumeChallenge = async (
  db: Db,
  {
    challenge,
    purpose,
    boundTo,
    now,
  }: {
    challenge: Buffer
    purpose: DB['passkey_challenge']['purpose']
    boundTo: Buffer
    now: Date
  },
): Promise<boolean> => {
  const deleted = await db
    .deleteFrom('passkey_challenge')
    .where('challenge', '=', challenge)
    .where('purpose', '=', purpose)
    .where('bound_to', '=', boundTo)
    .returning('expires_at')
    .executeTakeFirst()
  return deleted !== undefined && deleted.expires_at > now
}

export const deleteExpiredChallenges = (db: Db, now: Date) =>
  db.deleteFrom('passkey_challenge').where('expires_at', '<', now).execute()
