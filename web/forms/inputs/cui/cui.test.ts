import { createNode } from '@formkit/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formKit } from '../../core/form-kit.ts'
import { applyMask } from '../mask/mask.ts'
import { findMask } from '../mask/mask-presets.ts'

/**
 * Returns the check digit: what the weighted sum of the digits, counted from the right, lacks to a multiple
 * of 11, with 10 written as 0.
 */
function lastDigit(stem: string): string {
  let missing = 0
  for (const [index, digit] of [...stem].reverse().entries()) {
    missing = (missing + (11 - [2, 3, 5, 7, 1, 2, 3, 5, 7][index]!) * Number(digit)) % 11
  }
  return String(missing % 10)
}

const company = fc.integer({ min: 1, max: 999_999_999 }).map((stem) => `${stem}${lastDigit(String(stem))}`)

const findErrors = (value: string, validation?: string) => {
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
  it.each(['18547290', '6479639', '42402275'])('accepts the registered CUI %s', (cui) => {
    expect(lastDigit(cui.slice(0, -1))).toBe(cui.at(-1))
    expect(findErrors(cui)).toEqual([])
  })

  it('accepts valid CUIs and rejects any other check digit [3.10]', () => {
    fc.assert(
      fc.property(company, fc.integer({ min: 1, max: 9 }), (cui, step) => {
        expect(findErrors(cui)).toEqual([])
        const wrong = cui.slice(0, -1) + ((Number(cui.at(-1)) + step) % 10)
        expect(findErrors(wrong)).toEqual([expect.stringMatching(/^CUI-ul nu este corect: cifra de control/)])
      }),
      { numRuns: 500 },
    )
  })

  it('reads a pasted CUI with or without RO and with any separators', () => {
    const start = fc.constantFrom('', 'RO', 'ro ', 'RO-', 'CUI: RO ')
    const separator = fc.constantFrom('', '', ' ', '.', '-')
    fc.assert(
      fc.property(
        company,
        start,
        fc.array(separator, { minLength: 10, maxLength: 10 }),
        (cui, prefix, separators) => {
          const text = prefix + [...cui].map((digit, index) => digit + separators[index]).join('')
          const shown = /ro/i.test(prefix) ? `RO${cui}` : cui
          expect(applyMask(findMask('cui'), text)).toEqual({ shown, bare: cui, isComplete: true })
        },
      ),
    )
  })

  it('reports an empty field only if it is required', () => {
    expect(findErrors('')).toEqual([])
    expect(findErrors('', 'required')).toEqual(['CUI este necesar.'])
  })
})
