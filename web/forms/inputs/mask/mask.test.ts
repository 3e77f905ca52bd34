import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyMask, drawMask, fillMask, keyboardOf, parseMask } from './mask.ts'
import { findMask } from './mask-presets.ts'

const PHONE = '[+40 ]### ### ###'
const DATE = '##.##.####'

describe('applyMask', () => {
  it.each([
    [PHONE, '+40 722-123 456', '+40 722 123 456', '722123456'],
    [PHONE, '0040722123456', '+40 722 123 456', '722123456'],
    [PHONE, '722123456', '722 123 456', '722123456'],
    [PHONE, ' (722) 123/456 ', '722 123 456', '722123456'],
    [DATE, '03041985', '03.04.1985', '03041985'],
    [DATE, '03/04/1985', '03.04.1985', '03041985'],
    [DATE, '03', '03', '03'],
    [DATE, '03.', '03.', '03'],
    [DATE, 'azi', '', ''],
    ['AA-##-aaa', 'cj12Abc', 'CJ-12-Abc', 'CJ12Abc'],
    ['A*a', 'ș4Ț', 'Ș4Ț', 'Ș4Ț'],
    ['(###)', '123', '(123)', '123'],
    ['## %', '5', '5', '5'],
    ['## %', '55', '55 %', '55'],
    ['###[-##[/#]]', '123', '123', '123'],
    ['###[-##[/#]]', '12345', '123-45', '12345'],
    ['###[-##[/#]]', '123456', '123-45/6', '123456'],
    ['\\A\\##', '7', 'A#7', '7'],
    ['RO##', 'ro12', 'RO12', '12'],
    ['cod ##', '1 2', 'cod 12', '12'],
  ])('mask %s shows %j as %j, with the bare characters %j [3.10]', (mask, text, shown, bare) => {
    expect(applyMask(parseMask(mask), text)).toMatchObject({ shown, bare })
  })

  it.each([
    [DATE, '03.04.1985', true],
    [DATE, '03.04.198', false],
    [DATE, '', false],
    [PHONE, '722 123 456', true],
    [PHONE, '+40 722 123 45', false],
    ['###[-##[/#]]', '123', true],
    ['###[-##[/#]]', '1234', false],
    ['###[-##[/#]]', '12345', true],
    ['(###)', '12', false],
    ['(###)', '123', true],
  ])('mask %s with %j is complete: %s', (mask, text, isComplete) => {
    expect(applyMask(parseMask(mask), text).isComplete).toBe(isComplete)
  })

  it('masks a huge text that is pasted by mistake', () => {
    expect(applyMask(parseMask(DATE), `03.04.1985${'x9 '.repeat(1_000_000)}`).shown).toBe('03.04.1985')
  })
})

it.each(['[##', '##]', '[#[#]', '##\\'])('rejects the mask %j', (mask) => {
  expect(() => parseMask(mask)).toThrow(RangeError)
})

it('draws an empty mask and selects an on-screen keyboard', () => {
  expect([DATE, PHONE, '(AA) #[#]'].map((mask) => drawMask(parseMask(mask)))).toEqual([
    '__.__.____',
    '___ ___ ___',
    '(__) _',
  ])
  expect([DATE, PHONE, '(AA) #[#]'].map((mask) => keyboardOf(parseMask(mask)))).toEqual([
    'numeric',
    'tel',
    'text',
  ])
})

describe('the presets [3.10]', () => {
  it.each([
    ['phone', '+40 722-123 456', '+40 722 123 456', '722123456'],
    ['phone', '0040722123456', '+40 722 123 456', '722123456'],
    ['phone', '0722.123.456', '0722 123 456', '722123456'],
    ['phone', '722123456', '722 123 456', '722123456'],
    ['phone', '+40 (0)722 123 456', '+40 0722 123 456', '722123456'],
    ['cnp', '1 630615-12 345.7', '1630615123457', '1630615123457'],
    ['cnp', 'CNP: 1630615123457', '1630615123457', '1630615123457'],
    ['cui', 'RO 18547290', 'RO18547290', '18547290'],
    ['cui', 'ro18.547.290', 'RO18547290', '18547290'],
    ['cui', '18547290', '18547290', '18547290'],
    ['date', '1985-04-03', '03.04.1985', '03041985'],
    ['date', '3.4.1985', '03.04.1985', '03041985'],
    ['date', '03 / 4 / 1985', '03.04.1985', '03041985'],
    ['date', '03041985', '03.04.1985', '03041985'],
  ])('%s pasted as %j shows %j and is complete', (preset, text, shown, bare) => {
    expect(applyMask(findMask(preset), text)).toEqual({ shown, bare, isComplete: true })
  })

  it('reduces every Romanian number in any notation to its nine digits', () => {
    const starts = fc.constantFrom('+40', '0040', '+40 ', '0040 ', '0', '', '+40 (0)', '(+40)')
    const symbol = fc.constantFrom('', '', ' ', '.', '-', '/', '\u00a0')
    const number = fc.tuple(
      fc.constantFrom(...'236789'),
      fc.array(fc.tuple(symbol, fc.integer({ min: 0, max: 9 })), { minLength: 8, maxLength: 8 }),
    )
    fc.assert(
      fc.property(starts, number, (start, [first, rest]) => {
        const masked = applyMask(findMask('phone'), start + first + rest.flat().join(''))
        expect(masked).toMatchObject({
          bare: first + rest.map(([, digit]) => digit).join(''),
          isComplete: true,
        })
      }),
      { numRuns: 500 },
    )
  })
})

describe('any mask with any text', () => {
  const fragment = fc.oneof(
    fc.constantFrom('#', 'a', 'A', '*', '##', '###'),
    fc.constantFrom('.', ' ', '-', '/', '+40 ', 'RO', '(', ')', '0', 'é', '\\#', '\\[', '\\\\'),
  )
  const flat = fc.array(fragment, { maxLength: 4 }).map((fragments) => fragments.join(''))
  const optional = fc
    .tuple(flat, fc.option(flat), flat)
    .map(([start, inner, end]) => `[${start}${inner === null ? '' : `[${inner}]`}${end}]`)
  const pattern = fc
    .array(fc.oneof(fragment, fragment, optional), { maxLength: 6 })
    .map((parts) => parts.join(''))
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'0123456789+40 .-/()aBșRO'), maxLength: 24 }),
    fc.string({ unit: 'binary', maxLength: 12 }),
  )

  /** Returns every combination of optional parts of a mask. Independent of the product's parser. */
  function variantsOf(mask: string): [symbol: string, isSlot: boolean][][] {
    let at = 0
    const sequence = (): [string, boolean][][] => {
      let variants: [string, boolean][][] = [[]]
      while (at < mask.length && mask[at] !== ']') {
        const symbol = mask[at++]!
        let additions: [string, boolean][][]
        if (symbol === '[') {
          additions = [[], ...sequence()]
          at++
        } else if (symbol === '\\') additions = [[[mask[at++]!, false]]]
        else additions = [[[symbol, '#aA*'.includes(symbol)]]]
        variants = variants.flatMap((start) => additions.map((end) => [...start, ...end]))
      }
      return variants
    }
    return sequence()
  }

  const isLetter = (character: string) =>
    character.toLowerCase() !== character.toUpperCase() || /\p{L}/u.test(character)
  const fits = (symbol: string, character: string) => {
    const isDigit = character >= '0' && character <= '9'
    if (symbol === '#') return isDigit
    return isLetter(character) || (symbol === '*' && isDigit)
  }
  /** Whether the bare characters fill the slots of a variant in order, with its literals between them. */
  const matchesVariant = (variant: [string, boolean][], shown: string, bare: string) => {
    const slots = [...bare]
    return (
      shown.length <= variant.length &&
      shown.split('').every((character, at) => {
        const [symbol, isSlot] = variant[at]!
        return isSlot ? slots.shift() === character && fits(symbol, character) : symbol === character
      }) &&
      slots.length === 0
    )
  }

  /** The bare characters of a text by each variant that it fits: more than one where a literal also fits a slot. */
  const readingsOf = (mask: string, shown: string) => {
    const bareOf = (variant: [string, boolean][]) => shown.split('').filter((_, at) => variant[at]?.[1])
    const bares = variantsOf(mask).map((variant) => [variant, bareOf(variant).join('')] as const)
    return new Set(bares.flatMap(([variant, bare]) => (matchesVariant(variant, shown, bare) ? [bare] : [])))
  }

  it('shows a text that fits the mask, whose bare characters have no literals and keep their order', () => {
    fc.assert(
      fc.property(pattern, text, (mask, typed) => {
        const { shown, bare, isComplete } = applyMask(parseMask(mask), typed)
        const matching = variantsOf(mask).filter((variant) => matchesVariant(variant, shown, bare))
        expect(matching.length).toBeGreaterThan(0)
        if (isComplete) expect(matching.map(({ length }) => length)).toContain(shown.length)
        if (readingsOf(mask, shown).size > 1) return
        let from = 0
        for (const character of bare) {
          const index = typed.toUpperCase().indexOf(character.toUpperCase(), from)
          expect(index).toBeGreaterThanOrEqual(from)
          from = index + 1
        }
      }),
      { numRuns: 1500 },
    )
  })

  it('keeps zeros that begin no country code', () => {
    expect(applyMask(findMask('phone'), '0000').shown).toBe('0000')
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(pattern, fc.constantFrom('cnp', 'cui', 'phone', 'date')), text, (mask, typed) => {
        const once = applyMask(findMask(mask), typed)
        expect(applyMask(findMask(mask), once.shown)).toEqual(once)
      }),
      { numRuns: 1500 },
    )
  })

  it('restores the same bare characters', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(DATE, '(##) aa', '###[-##[/#]]', 'AA-##', 'cnp', 'cui', 'date'),
        text,
        (mask, typed) => {
          const once = applyMask(findMask(mask), typed)
          expect(fillMask(findMask(mask), once.bare).bare).toBe(once.bare)
        },
      ),
      { numRuns: 500 },
    )
  })
})
