import { makeUser } from '../db/factories.ts'
import { hashPassword } from '../server/features/accounts/password.ts'
import type { Db } from '../server/platform/database.ts'

export const TEST_PASSWORD = 'corect cal baterie agrafe'
const passwordHash = await hashPassword(TEST_PASSWORD)

/** An account that can sign in with TEST_PASSWORD; one that is only invited has none yet. */
export const createUser = (db: Db, user: NonNullable<Parameters<typeof makeUser>[1]> & { email: string }) =>
  makeUser(db, {
    name: `Persoana ${user.email}`,
    password_hash: user.status === 'invited' ? null : passwordHash,
    ...user,
  })
