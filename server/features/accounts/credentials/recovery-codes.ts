import { randomInt } from 'node:crypto'
import { LIMITS } from '../../../../shared/limits.ts'
import { hashToken } from '../../../platform/crypto/keys.ts'

/** Crockford's base 32: no letter that could be mistaken for a digit or another letter. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 4

/** Returns a full set of recovery codes of 80 bits each, formatted as `7KQ2-M9XP-4TVW-0HJR`. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: LIMITS.recoveryCodes }, () =>
    Array.from({ length: GROUPS }, () =>
      Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    ).join('-'),
  )

/**
 * Returns the hash under which a recovery code is stored; letter case and separators do not change it. Equal
 * codes of two accounts have different hashes.
 */
export function hashRecoveryCode(userId: string, code: string): Buffer {
  const plain = code
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
    .replace(/[^0-9A-Z]/g, '')
  return hashToken(`recovery:${userId}:${plain}`)
}
