import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts texts that a copy of the database alone must not reveal: AES-256-GCM, a fresh nonce for each text.
 */
export type Encryption = {
  encrypt(text: string): Buffer
  /** Throws when the bytes were changed or encrypted with another secret. */
  decrypt(encrypted: Buffer): string
}

export function createEncryption(secret: Buffer): Encryption {
  const key = deriveKey(secret, 'seal')
  return {
    encrypt: (text) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), encrypted])
    },
    decrypt: (bytes) => {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
