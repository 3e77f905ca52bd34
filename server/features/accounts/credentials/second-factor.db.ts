import type { SignInProvider } from '../../../../shared/site/sign-in-providers.ts'
import type { Db } from '../../../platform/database/database.ts'
import { effectiveStatus } from '../../site/effective-status.sql.ts'
import { deletePasskeys } from '../passkeys/passkeys.db.ts'
import { hasPasskey } from './second-factor.sql.ts'

/**
 * Consumes a TOTP time step and returns whether it was still unused. Consuming a step also rejects all older
 * steps; returns false if the secret has been replaced since it was read.
 */
export const consumeTotpStep = async (
  db: Db,
  userId: string,
  secret: Buffer,
  step: number,
): Promise<boolean> =>
  (await db
    .updateTable('app_user')
    .set({ totp_last_step: step })
    .where('id', '=', userId)
    .where('totp_secret', '=', secret)
    .where((eb) => eb.or([eb('totp_last_step', 'is', null), eb('totp_last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()) !== undefined

export const consumeRecoveryCode = async (
  db: Db,
  userId: string,
  codeHash: Buffer,
  now: Date,
): Promise<boolean> =>
  (await db
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .returning('user_id')
    .executeTakeFirst()) !== undefined

export const setTotpSecret = (db: Db, userId: string, secret: Buffer, step: number, now: Date) =>
  db
    .updateTable('app_user')
    .set((eb) => ({
      totp_secret: secret,
      totp_last_step: step,
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute()

/**
 * Removes the second factor of every kind, its recovery codes and all pending sign-ins. Returns whether there was a second
 * factor.
 */
export async function clearSecondFactor(db: Db, userId: string, now: Date): Promise<boolean> {
  const hadPasskey = await deletePasskeys(db, userId)
  const hadSecret = await clearTotpSecret(db, userId, now)
  await deleteRecoveryCodes(db, userId)
  await deletePendingSignIns(db, userId)
  return hadPasskey || hadSecret
}

/** Removes the authenticator application; returns whether there was one. */
export async function clearTotpSecret(db: Db, userId: string, now: Date): Promise<boolean> {
  const cleared = await db
    .updateTable('app_user')
    .set((eb) => ({
      totp_secret: null,
      totp_last_step: null,
      updated_at: now,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .where('totp_secret', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  return cleared !== undefined
}

export async function replaceRecoveryCodes(db: Db, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await deleteRecoveryCodes(db, userId)
  await db
    .insertInto('recovery_code')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute()
}

export const deleteRecoveryCodes = (db: Db, userId: string) =>
  db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()

/** Counts the recovery codes that the account was given, and those that are unused. */
export const countRecoveryCodes = (db: Db, userId: string) =>
  db
    .selectFrom('recovery_code')
    .where('user_id', '=', userId)
    .select((eb) => [
      eb.fn.countAll<number>().as('given'),
      eb.fn.countAll<number>().filterWhere('used_at', 'is', null).as('left'),
    ])
    .executeTakeFirstOrThrow()

export const insertPendingSignIn = (
  db: Db,
  pending: {
    id: string
    token_hash: Buffer
    user_id: string
    provider: SignInProvider
    new_totp_secret: Buffer | null
    shared: boolean
    expires_at: Date
  },
) => db.insertInto('pending_sign_in').values(pending).execute()

/**
 * Selects an unexpired pending sign-in and its account; undefined if the account is not effectively active.
 */
export const selectPendingSignIn = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('pending_sign_in')
    .innerJoin('app_user', 'app_user.id', 'pending_sign_in.user_id')
    .where('pending_sign_in.token_hash', '=', tokenHash)
    .where('pending_sign_in.expires_at', '>', now)
    .where(effectiveStatus, '=', 'active')
    .select([
      'pending_sign_in.id as pending_id',
      'pending_sign_in.provider',
      'pending_sign_in.shared',
      'pending_sign_in.new_totp_secret',
      'app_user.id',
      'app_user.email',
      'app_user.name',
      'app_user.totp_secret',
      hasPasskey.as('has_passkey'),
    ])
    .executeTakeFirst()

export type PendingRow = NonNullable<Awaited<ReturnType<typeof selectPendingSignIn>>>

/**
 * Deletes a pending sign-in and returns true for the first of several concurrent calls, false for the others.
 */
export const consumePendingSignIn = async (db: Db, id: string): Promise<boolean> =>
  (await db.deleteFrom('pending_sign_in').where('id', '=', id).returning('id').executeTakeFirst()) !==
  undefined

export const deletePendingSignIn = (db: Db, tokenHash: Buffer) =>
  db.deleteFrom('pending_sign_in').where('token_hash', '=', tokenHash).execute()

export const deletePendingSignIns = (db: Db, userId: string) =>
  db.deleteFrom('pending_sign_in').where('user_id', '=', userId).execute()

/** Deletes the pending sign-ins that began with a password, except those of administrators. */
export const deletePasswordPendingSignIns = (db: Db) =>
  db
    .deleteFrom('pending_sign_in')
    .using('app_user')
    .whereRef('app_user.id', '=', 'pending_sign_in.user_id')
    .where('app_user.role', '<>', 'admin')
    .where('pending_sign_in.provider', '=', 'local')
    .execute()

export const deleteExpiredPendingSignIns = (db: Db, now: Date) =>
  db.deleteFrom('pending_sign_in').where('expires_at', '<', now).execute()
