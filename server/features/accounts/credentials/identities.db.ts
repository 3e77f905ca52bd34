import type { Db } from '../../../platform/database/database.ts'

/** The account of this person of an OpenID provider (`provider`: its issuer). */
export const selectUserByIdentity = (db: Db, provider: string, subject: string) =>
  db
    .selectFrom('user_identity')
    .innerJoin('app_user', 'app_user.id', 'user_identity.user_id')
    .where('user_identity.provider', '=', provider)
    .where('user_identity.subject', '=', subject)
    .selectAll('app_user')
    .executeTakeFirst()

/** Whom the provider has vouched for is no longer the account's owner. */
export const deleteIdentities = (db: Db, userId: string) =>
  db.deleteFrom('user_identity').where('user_id', '=', userId).execute()

/** Answers false where the account, or the person, has another counterpart at this provider already. */
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
