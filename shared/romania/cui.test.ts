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

  it('takes RO as the mark of a VAT payer, not as part of the number', () => {
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
  ])('refuses %j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('gives each number at least one check digit at every length, and refuses most', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), (stem) => {
        const accepted = [...'0123456789'].filter((digit) => parseCui(`${stem}${digit}`).ok)
        expect(accepted).toHaveLength(1)
      }),
    )
  })

  it('refuses every change of a single digit that is not hidden by the rule that 10 is written 0', () => {
    const restOf = (cui: string) =>
      [...cui.slice(0, -1).padStart(9, '0')].reduce(
        (sum, digit, place) => sum + Number(digit) * Number('753217532'[place]) * 10,
        0,
      ) % 11
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 999_999_999 }), fc.nat(9), fc.nat(9), (stem, place, digit) => {
        const cui = [...'0123456789'].map((check) => `${stem}${check}`).find((each) => parseCui(each).ok)!
        const at = place % cui.length
        const changed = cui.slice(0, at) + digit + cui.slice(at + 1)
        if (changed === cui || !parseCui(changed).ok) return
        expect([restOf(cui), restOf(changed)].sort()).toEqual([0, 10])
      }),
      { numRuns: 2000 },
    )
  })
})
