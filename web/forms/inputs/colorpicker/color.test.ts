import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CHANNELS,
  type Channel,
  type ColorFormat,
  channelValue,
  clampChannel,
  formatColorText,
  parseColorText,
  withChannel,
} from './color.ts'

const FORMATS: ColorFormat[] = ['hex', 'rgba', 'hsla']
const as = (format: ColorFormat, text: string) => formatColorText(parseColorText(text)!, format)

const byte = fc.integer({ min: 0, max: 255 })
const alpha = fc.integer({ min: 0, max: 100 }).map((hundredths) => hundredths / 100)
const channel = fc.constantFrom(...(Object.keys(CHANNELS) as Channel[]))

const number = fc.oneof(
  fc.integer({ min: -400, max: 400 }).map(String),
  fc.double({ min: -400, max: 400, noNaN: true }).map((value) => value.toFixed(3)),
  fc.integer({ min: 0, max: 99 }).map((value) => `.${value}`),
)
const percentage = fc.oneof(
  number,
  number.map((value) => `${value}%`),
)
const hue = fc.oneof(
  number,
  number.map((value) => `${value}deg`),
)
const space = fc.constantFrom('', ' ', '  ')

/** All accepted notations, with values inside and outside of the channels' ranges. */
const notation = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '#'), fc.constantFrom(3, 4, 6, 8))
    .chain(([mark, length]) =>
      fc
        .string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: length, maxLength: length })
        .map((digits) => mark + digits),
    ),
  fc
    .tuple(
      fc.constantFrom('rgb', 'rgba', 'RGB', 'hsl', 'hsla'),
      hue,
      fc.tuple(percentage, percentage, percentage),
      fc.option(percentage),
      fc.boolean(),
      space,
    )
    .map(([name, first, [red, second, third], fourth, isList, gap]) => {
      const channels = [name.startsWith('h') ? first : red, second, third]
      const inside = isList
        ? [...channels, ...(fourth === null ? [] : [fourth])].join(`${gap},${gap}`)
        : channels.join(` ${gap}`) + (fourth === null ? '' : `${gap}/${gap}${fourth}`)
      return `${gap}${name}(${gap}${inside}${gap})${gap}`
    }),
)

describe('parsing a colour', () => {
  it.each([
    ['#f00', '#ff0000'],
    ['f00', '#ff0000'],
    ['#F008', '#ff000088'],
    ['#1D4ED8', '#1d4ed8'],
    ['1d4ed8', '#1d4ed8'],
    ['#1d4ed880', '#1d4ed880'],
    ['#1d4ed8ff', '#1d4ed8'],
    ['rgb(29, 78, 216)', '#1d4ed8'],
    ['rgb(29,78,216,0.5)', '#1d4ed880'],
    ['rgba(29 78 216 / 50%)', '#1d4ed880'],
    ['  RGBA( 29 , 78 , 216 , .5 ) ', '#1d4ed880'],
    ['rgb(100% 0% 50%)', '#ff0080'],
    ['rgb(300, -5, 12.4)', '#ff000c'],
    ['hsl(0, 100%, 50%)', '#ff0000'],
    ['hsl(120deg 100% 25%)', '#008000'],
    ['hsla(240, 100, 50, 1.5)', '#0000ff'],
    ['hsl(500, 100%, 50%)', '#ff0000'],
    ['hsl(210, 150%, -3%)', '#000000'],
    // computed by Python's colorsys
    ['hsl(210, 50%, 40%)', '#336699'],
    ['hsl(33, 80%, 55%)', '#e89530'],
    ['hsl(281 23% 71% / 0.25)', '#bba4c640'],
  ])('%j is parsed as %s [5.1]', (text, hex) => expect(as('hex', text)).toBe(hex))

  it.each([
    ['#336699', 'rgba(51, 102, 153, 1)', 'hsla(210, 50%, 40%, 1)'],
    ['#33669980', 'rgba(51, 102, 153, 0.5)', 'hsla(210, 50%, 40%, 0.5)'],
    ['#ffffff', 'rgba(255, 255, 255, 1)', 'hsla(0, 0%, 100%, 1)'],
    ['#e11d48', 'rgba(225, 29, 72, 1)', 'hsla(346.84, 77.17%, 49.8%, 1)'],
  ])('%s is formatted as %s and %s [3.8]', (hex, rgba, hsla) => {
    for (const text of [hex, rgba, hsla])
      expect(FORMATS.map((format) => as(format, text))).toEqual([hex, rgba, hsla])
  })

  it.each([
    '',
    ' ',
    '#',
    '#12',
    '#12345',
    '#1234567',
    '#123456789',
    '#ggg',
    '##fff',
    'roșu',
    'red',
    'rgb',
    'rgb()',
    'rgb(1, 2)',
    'rgb(1, 2, 3, 4, 5)',
    'rgb(1, 2, , 3)',
    'rgb(1 2 3 4)',
    'rgb(1 2 / 3)',
    'rgb(1 2 3 / 4 / 5)',
    'rgb(1, 2, 3',
    'rgb(1, 2, 3))',
    'rgb(1, 2, 3) 4',
    'rgb(1deg, 2, 3)',
    'rgb(a, b, c)',
    'rgb(1e2, 2, 3)',
    'rgb(--1, 2, 3)',
    'hsl(10%, 2%, 3%)',
    'hsv(1, 2, 3)',
    'hsl(Infinity, 2%, 3%)',
  ])('%j is not a colour [5.1]', (text) => expect(parseColorText(text)).toBeNull())

  it('returns null for other texts and never throws [5.1]', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseColorText(text)))
    const letters = fc.string({ unit: fc.constantFrom(...'ghijklmnopqrstuvwxyz #(),%/') })
    fc.assert(fc.property(letters, (text) => parseColorText(text) === null))
  })

  it('restores the same colour from every format [3.8] [5.1]', () => {
    fc.assert(
      fc.property(notation, fc.constantFrom(...FORMATS), (text, format) => {
        const written = as(format, text)
        expect(as(format, written)).toBe(written)
        expect(as('hex', written)).toBe(as('hex', text))
      }),
      { numRuns: 2000 },
    )
  })

  it('restores hex after a conversion to rgba and hsla [3.8]', () => {
    const digits = fc.array(byte, { minLength: 3, maxLength: 4 })
    fc.assert(
      fc.property(digits, ([red = 0, green = 0, blue = 0, opacity = 255]) => {
        const hex = formatColorText(
          parseColorText(
            `#${[red, green, blue, opacity].map((value) => value.toString(16).padStart(2, '0')).join('')}`,
          )!,
          'hex',
        )
        const rgba = as('rgba', hex)
        expect(rgba).toMatch(`rgba(${red}, ${green}, ${blue}, `)
        expect(as('hex', as('hsla', rgba))).toBe(hex)
        expect(as('rgba', as('hsla', hex))).toBe(rgba)
      }),
      { numRuns: 2000 },
    )
  })

  it('keeps typed hue, saturation and lightness', () => {
    expect(as('hsla', 'hsl(210, 0%, 50%)')).toBe('hsla(210, 0%, 50%, 1)')
    expect(as('hsla', 'hsl(360 33.333% 0% / 1%)')).toBe('hsla(360, 33.33%, 0%, 0.01)')
  })
})

describe('a channel of a colour', () => {
  it.each([
    ['red', -1, 0],
    ['green', 256, 255],
    ['blue', 12.6, 13],
    ['alpha', 1.2, 1],
    ['alpha', 0.456, 0.46],
    ['hue', 361, 360],
    ['saturation', 101, 100],
    ['lightness', -0.1, 0],
  ] as const)('clamps %s %d to %d [3.8] [5.1]', (name, value, expected) =>
    expect(clampChannel(name, value)).toBe(expected),
  )

  it('clamps any number to the nearest step within the bounds [5.1]', () => {
    fc.assert(
      fc.property(channel, fc.double({ noNaN: true, min: -1000, max: 1000 }), (name, value) => {
        const { max, step } = CHANNELS[name]
        const clamped = clampChannel(name, value)
        expect(clamped).toBeGreaterThanOrEqual(0)
        expect(clamped).toBeLessThanOrEqual(max)
        expect(clamped).toBeCloseTo(Math.round(clamped / step) * step, 10)
        if (value >= 0 && value <= max) expect(Math.abs(clamped - value)).toBeLessThanOrEqual(step / 2 + 1e-9)
        expect(clampChannel(name, clamped)).toBe(clamped)
      }),
    )
  })

  it('returns the value that was set and leaves the other RGB channels unchanged [5.1]', () => {
    fc.assert(
      fc.property(
        fc.tuple(byte, byte, byte, alpha),
        channel,
        fc.double({ noNaN: true, min: -400, max: 400 }),
        (start, name, value) => {
          const before = parseColorText(`rgba(${start.join()})`)!
          const after = withChannel(before, name, value)
          expect(channelValue(after, name)).toBe(clampChannel(name, value))
          for (const other of ['red', 'green', 'blue'] as const)
            if (['red', 'green', 'blue', 'alpha'].includes(name) && other !== name)
              expect(channelValue(after, other)).toBe(channelValue(before, other))
        },
      ),
    )
  })

  it('keeps the hue of a grey', () => {
    const blue = parseColorText('hsl(210, 100%, 50%)')!
    const grey = (['red', 'green', 'blue'] as const).reduce(
      (colour, name) => withChannel(colour, name, 90),
      blue,
    )
    expect(formatColorText(grey, 'hsla')).toBe('hsla(240, 0%, 35.29%, 1)')
    expect(formatColorText(withChannel(withChannel(blue, 'saturation', 0), 'saturation', 100), 'hex')).toBe(
      formatColorText(blue, 'hex'),
    )
  })
})
