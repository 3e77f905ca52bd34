import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findCnps, makeCnp, maskCnp, maskCnps, parseCnp } from './cnp.ts'

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

/** The zeros of scripts with digits of their own, and of fullwidth and mathematical digits. */
const ZEROS = [0x660, 0x6f0, 0x966, 0xe50, 0xff10, 0x1d7ce, 0x1d7f6]
const SPACES_AND_DASHES = [...' \u00a0\u2009\u202f\u3000-\u2010\u2011\u2013\u2014\u2212.\u00b7']
const GROUPS = [[1, 6, 6], [7, 6], [1, 6, 2, 4], [1, 2, 2, 2, 2, 3, 1], Array<number>(13).fill(1)]

const inGroups = (digits: readonly string[], lengths: readonly number[], between: string): string =>
  lengths
    .map((length, index) => {
      const start = lengths.slice(0, index).reduce((sum, each) => sum + each, 0)
      return digits.slice(start, start + length).join('')
    })
    .join(between)
const inScript = (cnp: string, zero: number): string[] =>
  [...cnp].map((digit) => (zero === 0 ? digit : String.fromCodePoint(zero + Number(digit))))

describe('findCnps', () => {
  const script = fc.constantFrom(0, ...ZEROS)
  const groups = fc.constantFrom([13], ...GROUPS)

  it('finds a number in digits of any script, in groups that a space, a dash or a dot of any kind separates', () => {
    fc.assert(
      fc.property(
        person,
        script,
        groups,
        fc.constantFrom(...SPACES_AND_DASHES),
        (made, zero, lengths, between) => {
          const cnp = makeCnp(made)
          const text = `CNP: ${inGroups(inScript(cnp, zero), lengths, between)}, născut`
          expect(findCnps(text, TODAY)).toMatchObject([{ cnp, isDoubtful: false }])
          expect(maskCnps(text)).toBe(`CNP: ${maskCnp(cnp)}, născut`)
        },
      ),
    )
  })

  it('finds one whose groups are far apart, and says that it is doubtful', () => {
    const wide = fc
      .array(fc.constantFrom(...SPACES_AND_DASHES, '\t', '\u200b', '\u00ad', '_', '/', '|'), {
        minLength: 2,
        maxLength: 40,
      })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(person, script, fc.constantFrom(...GROUPS), wide, (made, zero, lengths, between) => {
        const cnp = makeCnp(made)
        const text = `CNP: ${inGroups(inScript(cnp, zero), lengths, between)}`
        expect(findCnps(text, TODAY)).toMatchObject([{ cnp, isDoubtful: true }])
        expect(maskCnps(text)).toBe(`CNP: ${maskCnp(cnp)}`)
      }),
    )
  })

  it('finds none in other groups, over lines, in longer numbers and between letters', () => {
    const cnp = '1630615123457'
    for (const text of [
      inGroups([...cnp], [5, 8], ' '),
      inGroups([...cnp], [1, 6, 6], '\n'),
      inGroups([...cnp], [1, 6, 6], ' a '),
      `${cnp}0`,
      `٣${cnp}`,
      inGroups([...cnp], [1, 6, 6], ' '.repeat(41)),
    ])
      expect(findCnps(text, TODAY)).toEqual([])
  })

  it('changes no text without a valid number', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(findCnps(text).length === 0)
        expect(maskCnps(text)).toBe(text)
      }),
    )
  })
})
