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

/** 32 bytes for one purpose, from the product's secret (HKDF-SHA-256); purposes do not tell of each other. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `dosar:${purpose}`, 32))
}

export type KeyPair = { privateKey: KeyObject; publicKey: KeyObject }

/** The pair that signs and verifies id_tokens: the same on every server that has the secret. */
export const deriveSigningKeys = (secret: Buffer): KeyPair => derivePair(secret, 'id-token')

/** The pair that signs the anchors of the journal. */
export const deriveCheckpointKeys = (secret: Buffer): KeyPair => derivePair(secret, 'audit-anchor')

/** The key of the hashes that link the journal's entries. */
export const deriveChainKey = (secret: Buffer): KeyObject => createSecretKey(deriveKey(secret, 'audit-chain'))

function derivePair(secret: Buffer, purpose: string): KeyPair {
  const der = Buffer.concat([ED25519_PREFIX, deriveKey(secret, purpose)])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}

/** A token of 256 random bits; only its hash is ever stored. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
