import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEncryption } from './encryption.ts'

describe('seals', () => {
  const seals = createEncryption(randomBytes(48))

  it('gives back what was sealed, and never the same bytes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = seals.encrypt(text)
        expect(seals.decrypt(sealed)).toBe(text.toWellFormed())
        expect(seals.encrypt(text).equals(sealed)).toBe(false)
      }),
    )
  })

  it('refuses a changed byte, wherever it stands', () => {
    const sealed = seals.encrypt('JBSWY3DPEHPK3PXP')
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed)
      changed[place]! ^= 1
      expect(() => seals.decrypt(changed)).toThrow()
    }
  })

  it('refuses what another secret has sealed, and a piece of a seal', () => {
    const sealed = seals.encrypt('JBSWY3DPEHPK3PXP')
    expect(() => createEncryption(randomBytes(48)).decrypt(sealed)).toThrow()
    expect(() => seals.decrypt(sealed.subarray(0, 20))).toThrow()
  })
})
