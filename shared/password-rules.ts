import { LIMITS } from './limits.ts'

/** Returns the minimum length of a password, in characters. */
export const passwordMin = (hasSecondFactor: boolean): number =>
  hasSecondFactor ? LIMITS.passwordMinWithSecondFactor : LIMITS.passwordMin

/** Why a new password is rejected; `password-common` means easy to guess. */
export type PasswordError = 'password-short' | 'password-long' | 'password-common'

/** Well-known passwords and their parts, and words of this field and this product (ASVS 6.2.4, 6.2.11). */
const EXPECTED = [
  ...[
    'parola',
    'password',
    'passw0rd',
    'p@ssw0rd',
    'p@ssword',
    'parolamea',
    'secret',
    'qwertyuiop',
    'qwertzuiop',
    'qwerty',
  ],
  ...[
    'asdfghjkl',
    'asdfgh',
    'zxcvbnm',
    'yxcvbnm',
    '1qaz',
    '2wsx',
    '3edc',
    '4rfv',
    '5tgb',
    'q1w2e3r4t5',
    'abcdefgh',
    'abcdef',
  ],
  ...[
    'abc123',
    'letmein',
    'welcome',
    'iloveyou',
    'teiubesc',
    'monkey',
    'dragon',
    'football',
    'fotbal',
    'master',
    'sunshine',
  ],
  ...[
    'changeme',
    'test',
    'demo',
    'admin',
    'administrator',
    'utilizator',
    'user',
    'root',
    'login',
    'autentificare',
  ],
  ...[
    'dosar',
    'rezultate',
    'rezultat',
    'medicale',
    'medical',
    'medic',
    'analize',
    'laborator',
    'diagnostic',
    'clinica',
  ],
  ...['spital', 'pacient', 'sanatate', 'doctor', 'romania', 'bucuresti', 'steaua', 'dinamo'],
  ...['0123456789', '1234567890', '123456789', '12345', '987654321', '54321', '6789'],
] as const

/** One character repeated. */
const REPEATED = /(.)\1{2,}/gu

/** What must remain of a password without the expected words. */
const MIN_OWN_CHARACTERS = 6
const MIN_DISTINCT_CHARACTERS = 5

const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\s._,!?-]/gu, '')

/**
 * Returns what is wrong with a new password, or null. Its length counts Unicode characters after NFKC; no
 * character is required or forbidden (NIST SP 800-63B-4). `ownWords` are the account's e-mail address and
 * name, which do not count.
 */
export function findPasswordError(
  password: string,
  minLength: number = LIMITS.passwordMin,
  ownWords: readonly string[] = [],
): PasswordError | null {
  const length = [...password.normalize('NFKC')].length
  if (length < minLength) return 'password-short'
  if (length > LIMITS.passwordMax) return 'password-long'
  const own = ownWords.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length >= 3)
  const words = [...own.map(fold), ...EXPECTED].sort((a, b) => b.length - a.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), fold(password)).replace(REPEATED, '')
  const characters = [...rest]
  return characters.length < MIN_OWN_CHARACTERS || new Set(characters).size < MIN_DISTINCT_CHARACTERS
    ? 'password-common'
    : null
}
