import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What pdfjs says of a font and of a letter in a list of operators. */
export type PlainFont = {
  loadedName: string
  isType3Font: boolean
  missingFile: boolean
  isInvalidPDFjsFont?: boolean
  vertical: boolean
  fontMatrix?: readonly number[]
}
type Glyph = {
  fontChar: string
  unicode: string
  /** In thousandths of the size. */
  width: number
  accent: unknown
  isSpace: boolean
  isInFont: boolean
  isRotated: boolean
}

/** The box of a letter's ink in parts of the size: left, bottom, right, top, from where it is written. */
export type PlainGlyph = readonly [number, number, number, number]

const INVISIBLE = /^[\p{Z}\p{C}\s]+$/u
/** A picture has more. */
const MAX_POINTS = 500
/** One letter, or a ligature. */
const MAX_LETTERS = 3
const LEAST_LETTER = 0.3
const LEAST_INK = 0.02
/** Parts of the size by which ink may be outside of the letter's place, and of the line. */
const BESIDE = 0.3
const HEIGHT = { lowest: -0.45, highest: 1.15 }

/** Numbers after each command of a path: to move, a line, a curve, a quadratic curve, the end. */
const LENGTHS = [2, 2, 6, 4, 0]

/** Returns where a letter has ink; null if it has none. Throws if its outline is unknown or too long. */
export function readGlyph(
  page: PDFPageProxy,
  font: PlainFont,
  { fontChar, isInFont }: Glyph,
): PlainGlyph | null {
  // Nothing is drawn, as for a space without an outline.
  if (!isInFont) return null
  const name = `${font.loadedName}_path_${fontChar}`
  if (!page.commonObjs.has(name)) throw new Error('an unknown outline')
  const { path } = page.commonObjs.get(name) as { path: ArrayLike<number> }
  const points: [number, number][] = []
  for (let at = 0; at < path.length; ) {
    const length = LENGTHS[path[at]!]
    if (length === undefined || points.length > MAX_POINTS) throw new Error('an unknown outline')
    for (let number = 1; number < length; number += 2)
      points.push([path[at + number]!, path[at + number + 1]!])
    at += 1 + length
  }
  if (points.length < 2) return null
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

/** Whether the ink may be the letter that the text says, by its size and place. */
export function isPlainGlyph(glyph: Glyph, ink: PlainGlyph | null): boolean {
  const { unicode, width, accent, isRotated } = glyph
  if (INVISIBLE.test(unicode)) return ink === null
  if (!ink || accent || isRotated) return false
  if (unicode.length === 0 || unicode.length > MAX_LETTERS) return false
  const [left, bottom, right, top] = ink
  const isInPlace =
    left >= -BESIDE && right <= width / 1000 + BESIDE && bottom >= HEIGHT.lowest && top <= HEIGHT.highest
  const isLetter = /[\p{L}\p{N}]/u.test(unicode)
  const isVisible = isLetter
    ? top - bottom >= LEAST_LETTER && right - left >= LEAST_INK
    : Math.max(top - bottom, right - left) >= LEAST_INK
  return isInPlace && isVisible
}
