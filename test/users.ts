import { argon2Sync, randomBytes } from 'node:crypto'
import { makeUser } from '../db/factories.ts'
import type { Db } from '../server/platform/database/database.ts'

export const TEST_PASSWORD = 'corect cal baterie agrafe'

/** As `hashPassword`, at the least cost that argon2 has: hundreds of tests sign in, and how hard a hash is matters to few. */
function hashCheaply(password: string): string {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }
  const tag = argon2Sync('argon2id', { message: password, nonce, ...cost })
  return `$argon2id$v=19$m=8,t=1,p=1$${toPhc(nonce)}$${toPhc(tag)}`
}

const toPhc = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')
const passwordHash = hashCheaply(TEST_PASSWORD)

/** An account that can sign in with TEST_PASSWORD; one that is only invited has none yet. */
export const createUser = (db: Db, user: NonNullable<Parameters<typeof makeUser>[1]> & { email: string }) =>
  makeUser(db, {
    name: `Persoana ${user.email}`,
    password_hash: user.status === 'invited' ? null : passwordHash,
    ...user,
  })
