import { createNode } from '@formkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'
import { applyMask } from '../mask/mask.ts'
import { findMask } from '../mask/mask-presets.ts'
import { detailsFromCnp, findCompleteCnpError } from './cnp-details.ts'

/**
 * Returns the 13th digit by the law's table: the sum of each digit times its weight, modulo 11, with 10
 * written as 1.
 */
function lastDigit(twelve: string): string {
  let rest = 0
  const weights = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
  for (const [index, weight] of weights.entries()) {
    for (let times = 0; times < weight; times++) rest = (rest + twelve.charCodeAt(index) - 48) % 11
  }
  return '01234567891'.charAt(rest)
}

const two = (number: number) => String(number).padStart(2, '0')
const CENTURY = { 1: 1900, 2: 1900, 3: 1800, 4: 1800, 5: 2000, 6: 2000 }

/** A person born in one of the three centuries before 2026, with a CNP built digit by digit. */
const person = fc
  .record({
    first: fc.constantFrom('1', '2', '3', '4', '5', '6'),
    year: fc.integer({ min: 0, max: 25 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    county: fc.integer({ min: 1, max: 52 }),
    serial: fc.integer({ min: 1, max: 999 }),
  })
  .map(({ first, year, month, day, county, serial }) => {
    const twelve = `${first}${two(year)}${two(month)}${two(day)}${two(county)}${String(serial).padStart(3, '0')}`
    return {
      cnp: twelve + lastDigit(twelve),
      birthDate: `${CENTURY[first] + year}-${two(month)}-${two(day)}`,
      sex: Number(first) % 2 === 1 ? 'male' : 'female',
    }
  })

const createField = (value: string, validation?: string) =>
  createNode({
    plugins: formKit.plugins ?? [],
    config: { ...formKit.config },
    type: 'input',
    value,
    props: { type: 'cnp', label: 'CNP', validation },
  })
const findErrors = (value: string, validation?: string) =>
  Object.values(createField(value, validation).store)
    .filter((message) => message?.type === 'validation')
    .map(({ value }) => String(value))

describe('the input cnp', () => {
  it('accepts valid CNPs, reads their details, and rejects any other check digit [3.10]', () => {
    fc.assert(
      fc.property(person, fc.integer({ min: 1, max: 9 }), ({ cnp, birthDate, sex }, step) => {
        expect(findErrors(cnp)).toEqual([])
        expect(detailsFromCnp(cnp)).toEqual({ birthDate, sex })
        expect(findCompleteCnpError(cnp)).toBeNull()
        const wrong = cnp.slice(0, 12) + ((Number(cnp[12]) + step) % 10)
        expect(findErrors(wrong)).toEqual([expect.stringMatching(/^CNP-ul nu este corect: cifra de control/)])
        expect(findCompleteCnpError(wrong)).toBe(findErrors(wrong)[0])
        expect(detailsFromCnp(wrong)).toEqual({ birthDate: null, sex: null })
      }),
      { numRuns: 300 },
    )
  })

  it('returns no birth date if the CNP does not encode the century', () => {
    fc.assert(
      fc.property(person, fc.constantFrom('7', '8', '9'), ({ cnp }, first) => {
        const twelve = first + cnp.slice(1, 12)
        const sex = { 7: 'male', 8: 'female', 9: null }[first]
        expect(detailsFromCnp(twelve + lastDigit(twelve))).toEqual({ birthDate: null, sex })
      }),
      { numRuns: 200 },
    )
  })

  it('reports no error of an incomplete CNP while it is typed', () => {
    for (let length = 0; length < 13; length++)
      expect(findCompleteCnpError('1630615123457'.slice(0, length))).toBeNull()
    expect(findErrors('163061512345')).toEqual(['CNP-ul are 13 cifre, nu 12.'])
    expect(findErrors('')).toEqual([])
    expect(findErrors('', 'required')).toEqual(['CNP este necesar.'])
  })

  it('reads a pasted CNP with any separators between its digits', () => {
    const separator = fc.constantFrom('', '', ' ', '-', '.', '\u00a0', ' – ')
    fc.assert(
      fc.property(person, fc.array(separator, { minLength: 13, maxLength: 13 }), ({ cnp }, separators) => {
        const text = [...cnp].map((digit, index) => separators[index] + digit).join('')
        expect(applyMask(findMask('cnp'), `CNP:${text} `)).toEqual({
          shown: cnp,
          bare: cnp,
          isComplete: true,
        })
      }),
    )
  })
})
