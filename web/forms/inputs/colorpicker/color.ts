/** The notation of a colour value: `#1d4ed8`, `rgba(29, 78, 216, 1)`, `hsla(224.28, 76.33%, 48.04%, 1)`. */
export type ColorFormat = 'hex' | 'rgba' | 'hsla'

/**
 * A colour: hue 0–360, saturation and lightness 0–100, alpha 0–1. Stored as HSL, because in RGB a grey would
 * lose its hue while it is being chosen. Two decimals per channel represent every 8-bit colour exactly.
 */
export interface HslaColor {
  hue: number
  saturation: number
  lightness: number
  alpha: number
}

/** Each channel is an integer, 0–255. */
interface Rgb {
  red: number
  green: number
  blue: number
}

export type Channel = keyof HslaColor | keyof Rgb

/** The maximum of each channel (the minimum is 0) and its step [5.1]. */
export const CHANNELS: Readonly<Record<Channel, { max: number; step: number }>> = {
  red: { max: 255, step: 1 },
  green: { max: 255, step: 1 },
  blue: { max: 255, step: 1 },
  hue: { max: 360, step: 1 },
  saturation: { max: 100, step: 1 },
  lightness: { max: 100, step: 1 },
  alpha: { max: 1, step: 0.01 },
}

/** The channels of each notation in written order. */
export const FORMAT_CHANNELS = {
  rgba: ['red', 'green', 'blue', 'alpha'],
  hsla: ['hue', 'saturation', 'lightness', 'alpha'],
} as const satisfies Partial<Record<ColorFormat, readonly Channel[]>>

const clamp = (channel: Channel, value: number) => Math.min(Math.max(value, 0), CHANNELS[channel].max)
const roundTo = (decimals: number, value: number) => Math.round(value * 10 ** decimals) / 10 ** decimals
const byte = (alpha: number) => Math.round(alpha * 255)

/** Rounds alpha to two decimals if they give the same 8-bit value, else to three, as browsers do. */
function roundAlpha(value: number): number {
  const fine = roundTo(3, value)
  const coarse = roundTo(2, fine)
  return byte(coarse) === byte(fine) ? coarse : fine
}

/** Returns the nearest valid value of the channel [5.1]. */
export function clampChannel(channel: Channel, value: number): number {
  return channel === 'alpha' ? roundTo(2, clamp(channel, value)) : Math.round(clamp(channel, value))
}

// https://www.w3.org/TR/css-color-4/#hsl-to-rgb
function toRgb({ hue, saturation, lightness }: HslaColor): Rgb {
  const light = lightness / 100
  const chroma = (saturation / 100) * Math.min(light, 1 - light)
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return Math.round(255 * (light - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))))
  }
  return { red: part(0), green: part(8), blue: part(4) }
}

// https://www.w3.org/TR/css-color-4/#rgb-to-hsl
function fromRgb({ red, green, blue }: Rgb, alpha: number): HslaColor {
  const [r, g, b] = [red / 255, green / 255, blue / 255]
  const max = Math.max(r, g, b)
  const span = max - Math.min(r, g, b)
  const light = max - span / 2
  if (span === 0) return { hue: 0, saturation: 0, lightness: roundTo(2, light * 100), alpha }
  const sector =
    max === r ? (g - b) / span + (g < b ? 6 : 0) : max === g ? (b - r) / span + 2 : (r - g) / span + 4
  return {
    hue: roundTo(2, sector * 60),
    saturation: roundTo(2, (100 * (max - light)) / Math.min(light, 1 - light)),
    lightness: roundTo(2, light * 100),
    alpha,
  }
}

/** Returns the value of a channel, rounded to the channel's step. */
export function channelValue(color: HslaColor, channel: Channel): number {
  return clampChannel(channel, { ...color, ...toRgb(color) }[channel])
}

/** Returns the colour with one channel changed and clamped. A grey keeps its hue. */
export function withChannel(color: HslaColor, channel: Channel, value: number): HslaColor {
  const part = { [channel]: clampChannel(channel, value) }
  if (channel in color) return { ...color, ...part }
  const changed = fromRgb({ ...toRgb(color), ...part }, color.alpha)
  return changed.saturation === 0 ? { ...changed, hue: color.hue } : changed
}

const HEX = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/
const FUNCTION = /^(rgb|hsl)a?\(([^()]*)\)$/
const NUMBER = /^([+-]?(?:\d+\.?\d*|\.\d+))(%|deg)?$/

function parseHex(digits: string): HslaColor {
  const pairs = digits.length > 4 ? digits.match(/../g)! : [...digits].map((digit) => digit + digit)
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return fromRgb({ red, green, blue }, roundAlpha(alpha / 255))
}

/** Splits `a, b, c`, `a, b, c, d`, `a b c` and `a b c / d`; returns an empty list for other texts. */
function splitChannels(text: string): string[] {
  if (text.includes(',')) return text.split(',')
  const [color = '', ...alpha] = text.split('/')
  const channels = color.trim().split(/\s+/)
  return channels.length === 3 ? [...channels, ...alpha] : []
}

/** Parses and clamps a value of a channel; NaN if it is invalid. */
function parseChannel(channel: Channel, text: string): number {
  const [, number, unit] = NUMBER.exec(text.trim()) ?? []
  if (number === undefined || (unit && (unit === 'deg') !== (channel === 'hue'))) return Number.NaN
  const value = Number(number)
  return clamp(channel, unit === '%' ? (value * CHANNELS[channel].max) / 100 : value)
}

/**
 * Parses a colour in any notation [5.1]: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa` with or without #, `rgb()`,
 * `rgba()`, `hsl()`, `hsla()` with commas or with spaces and a slash, in numbers or percentages. Clamps the
 * channels; returns null for an invalid text.
 */
export function parseColorText(typed: string): HslaColor | null {
  const text = typed.trim().toLowerCase()
  const digits = HEX.exec(text)?.[1]
  if (digits) return parseHex(digits)

  const [, space, inside = ''] = FUNCTION.exec(text) ?? []
  const parts = splitChannels(inside)
  if (!space || parts.length < 3 || parts.length > 4) return null
  const channels = FORMAT_CHANNELS[space === 'rgb' ? 'rgba' : 'hsla']
  const values = parts.map((part, index) => parseChannel(channels[index]!, part))
  if (values.some(Number.isNaN)) return null
  const [first = 0, second = 0, third = 0, fourth = 1] = values
  const alpha = roundAlpha(fourth)
  return space === 'rgb'
    ? fromRgb({ red: Math.round(first), green: Math.round(second), blue: Math.round(third) }, alpha)
    : { hue: roundTo(2, first), saturation: roundTo(2, second), lightness: roundTo(2, third), alpha }
}

const hexPair = (value: number) => value.toString(16).padStart(2, '0')

/**
 * Formats a colour so that `parseColorText` can read it; `hex` is `#rrggbb`, or `#rrggbbaa` if alpha is
 * below 1.
 */
export function formatColorText(color: HslaColor, format: ColorFormat): string {
  const { hue, saturation, lightness, alpha } = color
  if (format === 'hsla') return `hsla(${hue}, ${saturation}%, ${lightness}%, ${alpha})`
  const { red, green, blue } = toRgb(color)
  if (format === 'rgba') return `rgba(${red}, ${green}, ${blue}, ${alpha})`
  return `#${[red, green, blue, ...(alpha < 1 ? [byte(alpha)] : [])].map(hexPair).join('')}`
}
