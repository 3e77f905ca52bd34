import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCui } from './cui.ts'

const reasonOf = (text: string) => {
  const parsed = parseCui(text)
  return parsed.ok ? 'ok' : parsed.reason
}

describe('parseCui', () => {
  it.each(['18547290', '6479639', '42402275'])('accepts %s, independently verified', (cui) => {
    expect(parseCui(cui)).toEqual({ ok: true, cui, vatPayer: false })
  })

  it('reads RO as the prefix of a VAT payer, not as part of the number', () => {
    expect(parseCui(' ro 1854 7290 ')).toEqual({ ok: true, cui: '18547290', vatPayer: true })
  })

  it.each([
    ['', 'length'],
    ['RO', 'length'],
    ['7', 'length'],
    ['12345678901', 'length'],
    ['018547290', 'digits'],
    ['RO-RO18547290', 'digits'],
    ['18547a90', 'digits'],
    ['18547291', 'check-digit'],
  ])('rejects %j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('accepts exactly one check digit for each number of every length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (stem) => {
        const accepted = [...'0123456789'].filter((digit) => parseCui(`${stem}${digit}`).ok)
        expect(accepted).toHaveLength(1)
      }),
    )
  })

  it('rejects every change of a single digit, except where the check value 10 is written as 0', () => {
    const remainderOf = (cui: string) =>
      [...cui.slice(0, -1).padStart(9, '0')].reduce(
        (sum, digit, index) => sum + Number(digit) * Number('753217532'[index]) * 10,
        0,
      ) % 11
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 999_999_999 }),
        fc.nat(9),
        fc.nat(9),
        (stem, position, digit) => {
          const cui = [...'0123456789'].map((check) => `${stem}${check}`).find((each) => parseCui(each).ok)!
          const index = position % cui.length
          const changed = cui.slice(0, index) + digit + cui.slice(index + 1)
          if (changed === cui || !parseCui(changed).ok) return
          expect([remainderOf(cui), remainderOf(changed)].sort()).toEqual([0, 10])
        },
      ),
      { numRuns: 2000 },
    )
  })
})
