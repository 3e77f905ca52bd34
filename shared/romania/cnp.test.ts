import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeCnp, maskCnp, parseCnp } from './cnp.ts'

const TODAY = '2026-03-01'
const isoDate = (min: string, max: string) =>
  fc
    .date({ min: new Date(min), max: new Date(max), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10))
const person = fc.record({
  sex: fc.constantFrom('male' as const, 'female' as const),
  birthDate: isoDate('1800-01-01', TODAY),
  county: fc.integer({ min: 1, max: 99 }),
  serial: fc.integer({ min: 1, max: 999 }),
})
const reasonOf = (text: string) => {
  const parsed = parseCnp(text, TODAY)
  return parsed.ok ? 'ok' : parsed.reason
}

describe('parseCnp', () => {
  it('reads sex and birth date of independently verified numbers', () => {
    expect(parseCnp('1630615123457', TODAY)).toEqual({
      ok: true,
      cnp: '1630615123457',
      birthDate: '1963-06-15',
      sex: 'male',
      countyKnown: true,
    })
    expect(parseCnp('5260101700018', TODAY)).toMatchObject({
      birthDate: '2026-01-01',
      sex: 'male',
      countyKnown: true,
    })
  })

  it('accepts the spaces and dashes that people type', () => {
    expect(parseCnp(' 1 630615–12-345\u00a07 ', TODAY)).toMatchObject({ ok: true, cnp: '1630615123457' })
  })

  it.each([
    ['', 'length'],
    ['163061512345', 'length'],
    ['16306151234570', 'length'],
    ['163061512345a', 'digits'],
    ['0630615123457', 'digits'],
    ['١630615123457', 'digits'],
    ['1631315123457', 'date'],
    ['1630230123457', 'date'],
    ['1630015123457', 'date'],
    ['1630615120007', 'serial'],
    ['1630615123458', 'check-digit'],
  ])('rejects %j: %s', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('rejects a birth date after today and accepts today', () => {
    const born = (birthDate: string) => makeCnp({ sex: 'female', birthDate, county: 70, serial: 7 })
    expect(reasonOf(born('2026-03-01'))).toBe('ok')
    expect(reasonOf(born('2026-03-02'))).toBe('future')
  })

  it('does not guess the century of a foreigner, and accepts 29 February of either century', () => {
    const foreigner = makeCnp({
      sex: 'female',
      birthDate: '2000-02-29',
      county: 40,
      serial: 12,
      foreign: true,
    })
    expect(foreigner).toMatch(/^8000229/)
    expect(parseCnp(foreigner, TODAY)).toMatchObject({ ok: true, birthDate: null, sex: 'female' })
    expect(reasonOf(`7010229${foreigner.slice(7)}`)).toBe('date')
  })

  it('accepts an unknown county code and reports it', () => {
    const odd = makeCnp({ sex: 'male', birthDate: '1990-05-05', county: 60, serial: 1 })
    expect(parseCnp(odd, TODAY)).toMatchObject({ ok: true, countyKnown: false })
  })

  it('returns the sex and the birth date that a number was made from', () => {
    fc.assert(
      fc.property(person, (made) => {
        const parsed = parseCnp(makeCnp(made), TODAY)
        expect(parsed).toMatchObject({ ok: true, sex: made.sex, birthDate: made.birthDate })
      }),
    )
  })

  it('rejects every change of a single digit, except between the two remainders with equal check digits', () => {
    const remainderOf = (cnp: string) =>
      [...'279146358279'].reduce((sum, weight, index) => sum + Number(weight) * Number(cnp[index]), 0) % 11
    fc.assert(
      fc.property(person, fc.nat(12), fc.integer({ min: 1, max: 9 }), (made, index, step) => {
        const cnp = makeCnp(made)
        const digit = (Number(cnp[index]) + step) % 10
        const changed = cnp.slice(0, index) + digit + cnp.slice(index + 1)
        if (parseCnp(changed, TODAY).ok)
          expect([remainderOf(cnp), remainderOf(changed)].sort()).toEqual([1, 10])
      }),
      { numRuns: 2000 },
    )
  })

  it('never throws, and explains errors in Romanian', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const parsed = parseCnp(text)
        if (!parsed.ok) expect(parsed.message).toMatch(/CNP.*\.$/)
      }),
    )
  })
})

describe('maskCnp', () => {
  it('shows the last four digits and a star for each other digit', () => {
    expect(maskCnp('1630615123457')).toBe('*********3457')
    fc.assert(
      fc.property(person, (made) => {
        const cnp = makeCnp(made)
        expect(maskCnp(cnp)).toBe(`*********${cnp.slice(-4)}`)
      }),
    )
  })

  // Digits 8 and 9 have the weights 5 and 8: each first digit of the county leaves at most one code for a
  // check digit.
  it('leaves at least nine possible county codes to a reader who knows birth date, sex and check digit', () => {
    const codes = Array.from({ length: 100 }, (_, county) => county)
    fc.assert(
      fc.property(person, ({ county, ...known }) => {
        const masked = maskCnp(makeCnp({ ...known, county }))
        const possible = codes.filter((code) => maskCnp(makeCnp({ ...known, county: code })) === masked)
        expect(possible).toContain(county)
        expect(possible.length).toBeGreaterThanOrEqual(9)
      }),
    )
  })
})
