import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSeals } from './seals.ts'

describe('seals', () => {
  const seals = createSeals(randomBytes(48))

  it('gives back what was sealed, and never the same bytes twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sealed = seals.seal(text)
        expect(seals.open(sealed)).toBe(text.toWellFormed())
        expect(seals.seal(text).equals(sealed)).toBe(false)
      }),
    )
  })

  it('refuses a changed byte, wherever it stands', () => {
    const sealed = seals.seal('JBSWY3DPEHPK3PXP')
    for (let place = 0; place < sealed.length; place += 1) {
      const changed = Buffer.from(sealed)
      changed[place]! ^= 1
      expect(() => seals.open(changed)).toThrow()
    }
  })

  it('refuses what another secret has sealed, and a piece of a seal', () => {
    const sealed = seals.seal('JBSWY3DPEHPK3PXP')
    expect(() => createSeals(randomBytes(48)).open(sealed)).toThrow()
    expect(() => seals.open(sealed.subarray(0, 20))).toThrow()
  })
})
