import type { Db } from '../../../platform/database/database.ts'

/** Selects the account linked to a subject of an OpenID provider (`provider`: the issuer). */
export const selectUserByIdentity = (db: Db, provider: string, subject: string) =>
  db
    .selectFrom('user_identity')
    .innerJoin('app_user', 'app_user.id', 'user_identity.user_id')
    .where('user_identity.provider', '=', provider)
    .where('user_identity.subject', '=', subject)
    .selectAll('app_user')
    .executeTakeFirst()

/** Unlinks the account from every OpenID provider identity. */
export const deleteIdentities = (db: Db, userId: string) =>
  db.deleteFrom('user_identity').where('user_id', '=', userId).execute()

/**
 * Links an account to an identity of a provider. Returns false if the account or the identity is already
 * linked at this provider.
 */
export const insertIdentity = async (
  db: Db,
  identity: { provider: string; subject: string; user_id: string },
): Promise<boolean> =>
  (await db
    .insertInto('user_identity')
    .values(identity)
    .onConflict((on) => on.doNothing())
    .returning('user_id')
    .executeTakeFirst()) !== undefined
