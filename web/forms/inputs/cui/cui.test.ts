import { createNode } from '@formkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'
import { applyMask } from '../mask/mask.ts'
import { findMask } from '../mask/mask-presets.ts'

/** The last digit, counted from the right and as what is missing to a multiple of 11; what would be 10 is written 0. */
function lastDigit(stem: string): string {
  let missing = 0
  for (const [place, digit] of [...stem].reverse().entries()) {
    missing = (missing + (11 - [2, 3, 5, 7, 1, 2, 3, 5, 7][place]!) * Number(digit)) % 11
  }
  return String(missing % 10)
}

const company = fc.integer({ min: 1, max: 999_999_999 }).map((stem) => `${stem}${lastDigit(String(stem))}`)

const refuse = (value: string, validation?: string) => {
  const field = createNode({
    plugins: formKit.plugins ?? [],
    config: { ...formKit.config },
    type: 'input',
    value,
    props: { type: 'cui', label: 'CUI', validation },
  })
  return Object.values(field.store)
    .filter((message) => message?.type === 'validation')
    .map(({ value }) => String(value))
}

describe('the input cui', () => {
  it.each(['18547290', '6479639', '42402275'])('takes %s, as it stands in the register', (cui) => {
    expect(lastDigit(cui.slice(0, -1))).toBe(cui.at(-1))
    expect(refuse(cui)).toEqual([])
  })

  it('takes the numbers of companies, and refuses each other last digit [3.10]', () => {
    fc.assert(
      fc.property(company, fc.integer({ min: 1, max: 9 }), (cui, step) => {
        expect(refuse(cui)).toEqual([])
        const wrong = cui.slice(0, -1) + ((Number(cui.at(-1)) + step) % 10)
        expect(refuse(wrong)).toEqual([expect.stringMatching(/^CUI-ul nu este corect: cifra de control/)])
      }),
      { numRuns: 500 },
    )
  })

  it('reads a pasted number with or without RO, whatever stands between its digits', () => {
    const start = fc.constantFrom('', 'RO', 'ro ', 'RO-', 'CUI: RO ')
    const sign = fc.constantFrom('', '', ' ', '.', '-')
    fc.assert(
      fc.property(company, start, fc.array(sign, { minLength: 10, maxLength: 10 }), (cui, prefix, signs) => {
        const text = prefix + [...cui].map((digit, place) => digit + signs[place]).join('')
        const shown = /ro/i.test(prefix) ? `RO${cui}` : cui
        expect(applyMask(findMask('cui'), text)).toEqual({ shown, bare: cui, isComplete: true })
      }),
    )
  })

  it('says nothing of an empty field but that it is required', () => {
    expect(refuse('')).toEqual([])
    expect(refuse('', 'required')).toEqual(['CUI este necesar.'])
  })
})
