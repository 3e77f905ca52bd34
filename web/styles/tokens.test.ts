import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ACCENTS } from '../../shared/site/accents.ts'

/** Parses tokens.css as a browser would and computes WCAG contrasts. */

type Oklch = [lightness: number, chroma: number, hue: number]
type Mode = 'light' | 'dark'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
const rules = [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = '', body = '']) => ({
  selectors: selector.split(',').map((part) => part.trim()),
  values: Object.fromEntries(
    [...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  ),
}))
const accents = rules.flatMap(({ selectors }) =>
  selectors.flatMap((selector) => /data-accent="(\w+)"/.exec(selector)?.[1] ?? []),
)

function collectTokens(mode: Mode, accent: string): Record<string, string> {
  const applying = [':root', `[data-accent="${accent}"]`, `[data-theme="${mode}"]`]
  return Object.assign(
    {},
    ...rules
      .filter(({ selectors }) => selectors.some((s) => applying.includes(s)))
      .map(({ values }) => values),
  )
}

function readColour(tokens: Record<string, string>, name: string): Oklch {
  const value = tokens[name]
  if (!value) throw new Error(`no token --${name}`)
  const relative = /^oklch\(from var\(--([\w-]+)\) (.+)\)$/.exec(value)
  if (!relative) {
    const [l, c, h] = (/^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(value) ?? []).slice(1).map(Number)
    if (l === undefined || c === undefined || h === undefined) throw new Error(`--${name}: ${value}`)
    return [l, c, h]
  }
  const [l, c, h] = readColour(tokens, relative[1] ?? '')
  const parts = [...(relative[2] ?? '').matchAll(/calc\([^)]*\)|\S+/g)].map(([part]) => part)
  const channels = parts.map((part) => computeChannel(part, { l, c, h }))
  return channels as Oklch
}

function computeChannel(part: string, channels: Record<string, number>): number {
  const calc = /^calc\(([lch]) ([*-]) ([\d.]+)\)$/.exec(part)
  if (!calc) return channels[part] ?? Number(part)
  const [channel, factor] = [channels[calc[1] ?? ''] ?? Number.NaN, Number(calc[3])]
  return calc[2] === '*' ? channel * factor : channel - factor
}

/**
 * Converts OKLCH to linear sRGB (Björn Ottosson's OKLab), clips it to the gamut, and computes WCAG's relative
 * luminance.
 */
function computeLuminance([l, c, hue]: Oklch): number {
  const a = c * Math.cos((hue * Math.PI) / 180)
  const b = c * Math.sin((hue * Math.PI) / 180)
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  const clip = (value: number) => Math.min(1, Math.max(0, value))
  const red = clip(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z)
  const green = clip(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z)
  const blue = clip(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function computeContrast(tokens: Record<string, string>, first: string, second: string): number {
  const [a, b] = [computeLuminance(readColour(tokens, first)), computeLuminance(readColour(tokens, second))]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const backgrounds = ['canvas', 'sunken', 'surface', 'raised']
const statuses = ['info', 'success', 'warning', 'danger']
const on = (names: string[], others: string[]) =>
  names.flatMap((name) => others.map((place) => [name, place]))

/** Text and its background: a contrast of at least 4.5:1. */
const textPairs = [
  ...on(['ink', 'muted', 'faint', 'accent-ink', ...statuses], backgrounds),
  ...on(['ink', 'muted'], ['hover']),
  ...on(['ink'], ['pressed', 'accent-soft', ...statuses.map((status) => `${status}-soft`)]),
  ...on(['on-accent'], ['accent', 'accent-hover', 'accent-pressed']),
  ...on(['on-danger'], ['danger-fill', 'danger-fill-hover']),
  ['accent-ink', 'accent-soft'],
  ...statuses.map((status) => [status, `${status}-soft`]),
  ['canvas', 'ink'],
]

/** Borders of controls, marks and focus rings against their surroundings: a contrast of at least 3:1. */
const graphicPairs = [...on(['line-strong', 'accent-mark', 'focus'], backgrounds), ['canvas', 'accent-mark']]

describe.each(['light', 'dark'] as const)('tokens, %s', (mode) => {
  it('have the accents of the settings [1.5]', () => expect(accents).toEqual([...ACCENTS]))

  it.each(accents)('have WCAG AA contrast with the accent %s', (accent) => {
    const tokens = collectTokens(mode, accent)
    const errors = [
      ...textPairs.map((pair) => [...pair, 4.5] as const),
      ...graphicPairs.map((pair) => [...pair, 3] as const),
    ].flatMap(([first = '', second = '', least]) => {
      const contrast = computeContrast(tokens, first as string, second as string)
      return contrast < Number(least) ? [`${first} on ${second}: ${contrast.toFixed(2)}`] : []
    })
    expect(errors).toEqual([])
  })
})

it('include the accent lime, and the contrast is computed as WCAG does', () => {
  expect(accents).toContain('lime')
  const tokens = { black: 'oklch(0 0 0)', white: 'oklch(1 0 0)' }
  expect(computeContrast(tokens, 'black', 'white')).toBeCloseTo(21, 3)
})
