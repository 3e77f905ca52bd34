import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './keys.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** Keeps texts in the database that a copy of the database alone must not tell: AES-256-GCM, a fresh nonce each time. */
export type Encryption = {
  encrypt(text: string): Buffer
  /** Throws where the bytes were changed or sealed with another secret. */
  decrypt(sealed: Buffer): string
}

export function createEncryption(secret: Buffer): Encryption {
  const key = deriveKey(secret, 'seal')
  return {
    encrypt: (text) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed])
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
