import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

/** DER of a PKCS #8 Ed25519 key up to the 32 bytes of its seed (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Derives 32 bytes for one purpose from the product's secret (HKDF-SHA-256); no key reveals the key of
 * another purpose.
 */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `dosar:${purpose}`, 32))
}

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject }

/**
 * Derives the key pair that signs and verifies id_tokens; every server with the same secret gets the same
 * pair.
 */
export const deriveSigningKeys = (secret: Buffer): KeyPair => derivePair(secret, 'id-token')

/** Derives the key pair that signs the checkpoints of the audit log. */
export const deriveCheckpointKeys = (secret: Buffer): KeyPair => derivePair(secret, 'audit-anchor')

/** Derives the passwords of the database's roles. */
export const deriveRolePasswords = (secret: Buffer): { staff: string; guest: string; recipient: string } => ({
  staff: deriveKey(secret, 'database-staff').toString('base64url'),
  guest: deriveKey(secret, 'database-guest').toString('base64url'),
  recipient: deriveKey(secret, 'database-recipient').toString('base64url'),
})

/** Derives the key of the hashes that link the entries of the audit log. */
export const deriveChainKey = (secret: Buffer): KeyObject => createSecretKey(deriveKey(secret, 'audit-chain'))

function derivePair(secret: Buffer, purpose: string): KeyPair {
  const der = Buffer.concat([ED25519_PREFIX, deriveKey(secret, purpose)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** Returns a token of 256 random bits; only the token's hash is stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The last use of a key is stored at most once in this time. */
const TOUCH_INTERVAL_MS = 60_000

/** Whether the stored last use of a key, null if it was never used, has to be stored anew. */
export const isUseOutdated = (lastUsedAt: Date | null, now: Date): boolean =>
  !lastUsedAt || now.getTime() - lastUsedAt.getTime() >= TOUCH_INTERVAL_MS
