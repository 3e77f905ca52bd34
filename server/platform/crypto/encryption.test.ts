import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEncryption } from './encryption.ts'

describe('encryption', () => {
  const encryption = createEncryption(randomBytes(48))

  it('decrypts what it encrypted, and never returns the same bytes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const encrypted = encryption.encrypt(text)
        expect(encryption.decrypt(encrypted)).toBe(text.toWellFormed())
        expect(encryption.encrypt(text).equals(encrypted)).toBe(false)
      }),
    )
  })

  it('rejects a changed byte at every position', () => {
    const encrypted = encryption.encrypt('JBSWY3DPEHPK3PXP')
    for (let place = 0; place < encrypted.length; place += 1) {
      const changed = Buffer.from(encrypted)
      changed[place]! ^= 1
      expect(() => encryption.decrypt(changed)).toThrow()
    }
  })

  it('rejects a text of another secret, and a truncated text', () => {
    const encrypted = encryption.encrypt('JBSWY3DPEHPK3PXP')
    expect(() => createEncryption(randomBytes(48)).decrypt(encrypted)).toThrow()
    expect(() => encryption.decrypt(encrypted.subarray(0, 20))).toThrow()
  })
})
