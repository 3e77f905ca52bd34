import { argon2Sync, randomBytes } from 'node:crypto'
import { makeUser } from '../db/factories.ts'
import type { Db } from '../server/platform/database/database.ts'

export const TEST_PASSWORD = 'corect cal baterie agrafe'

/**
 * Returns a hash like `hashPassword`, at the least cost of argon2: hundreds of tests sign in, and few test
 * the cost.
 */
function hashCheaply(password: string): string {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost })
  return `$argon2id$v=19$m=8,t=1,p=1$${toPhc(nonce)}$${toPhc(tag)}`
}

const toPhc = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
const passwordHash = hashCheaply(TEST_PASSWORD)

/** Creates an account that can sign in with TEST_PASSWORD; an account with the status `invited` has no password yet. */
export const createUser = (db: Db, user: NonNullable<Parameters<typeof makeUser>[1]> & { email: string }) =>
  makeUser(db, {
    name: `Persoana ${user.email}`,
    password_hash: user.status === 'invited' ? null : passwordHash,
    ...user,
  })
