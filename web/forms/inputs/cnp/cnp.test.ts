import { createNode } from '@formkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'
import { applyMask } from '../mask/mask.ts'
import { findMask } from '../mask/mask-presets.ts'
import { detailsFromCnp, wholeCnpProblem } from './cnp-details.ts'

/** The thirteenth digit, from the text of the law's table: each digit times its weight, the rest by 11, where 10 is written 1. */
function lastDigit(twelve: string): string {
  let rest = 0
  const weights = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
  for (const [place, weight] of weights.entries()) {
    for (let times = 0; times < weight; times++) rest = (rest + twelve.charCodeAt(place) - 48) % 11
  }
  return '01234567891'.charAt(rest)
}

const two = (number: number) => String(number).padStart(2, '0')
const CENTURY = { 1: 1900, 2: 1900, 3: 1800, 4: 1800, 5: 2000, 6: 2000 }

/** A person born in the given century before 2026, with a number put together here, digit by digit. */
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
const refuse = (value: string, validation?: string) =>
  Object.values(createField(value, validation).store)
    .filter((message) => message?.type === 'validation')
    .map(({ value }) => String(value))

describe('the input cnp', () => {
  it('takes the numbers of people, tells what is in them, and refuses each other last digit [3.10]', () => {
    fc.assert(
      fc.property(person, fc.integer({ min: 1, max: 9 }), ({ cnp, birthDate, sex }, step) => {
        expect(refuse(cnp)).toEqual([])
        expect(detailsFromCnp(cnp)).toEqual({ birthDate, sex })
        expect(wholeCnpProblem(cnp)).toBeNull()
        const wrong = cnp.slice(0, 12) + ((Number(cnp[12]) + step) % 10)
        expect(refuse(wrong)).toEqual([expect.stringMatching(/^CNP-ul nu este corect: cifra de control/)])
        expect(wholeCnpProblem(wrong)).toBe(refuse(wrong)[0])
        expect(detailsFromCnp(wrong)).toEqual({ birthDate: null, sex: null })
      }),
      { numRuns: 300 },
    )
  })

  it('does not guess the century where the number does not tell it', () => {
    fc.assert(
      fc.property(person, fc.constantFrom('7', '8', '9'), ({ cnp }, first) => {
        const twelve = first + cnp.slice(1, 12)
        const sex = { 7: 'male', 8: 'female', 9: null }[first]
        expect(detailsFromCnp(twelve + lastDigit(twelve))).toEqual({ birthDate: null, sex })
      }),
      { numRuns: 200 },
    )
  })

  it('says nothing of a number that is still being typed before it is left', () => {
    for (let length = 0; length < 13; length++)
      expect(wholeCnpProblem('1630615123457'.slice(0, length))).toBeNull()
    expect(refuse('163061512345')).toEqual(['CNP-ul are 13 cifre; ai introdus 12.'])
    expect(refuse('')).toEqual([])
    expect(refuse('', 'required')).toEqual(['CNP este necesar.'])
  })

  it('reads a pasted number whatever stands between its digits', () => {
    const sign = fc.constantFrom('', '', ' ', '-', '.', '\u00a0', ' – ')
    fc.assert(
      fc.property(person, fc.array(sign, { minLength: 13, maxLength: 13 }), ({ cnp }, signs) => {
        const text = [...cnp].map((digit, place) => signs[place] + digit).join('')
        expect(applyMask(findMask('cnp'), `CNP:${text} `)).toEqual({
          shown: cnp,
          bare: cnp,
          isComplete: true,
        })
      }),
    )
  })
})
