import { OPS, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { multiply } from '../facts/pdf-facts.ts'
import { isPlainGlyph, type PlainFont, type PlainGlyph, readGlyph } from './plain-glyphs.ts'

type Matrix = readonly number[]
type Point = readonly [x: number, y: number]
/** In points, from the top left corner of the page as a reader sees it. */
type Box = readonly [left: number, top: number, right: number, bottom: number]

/** Points: of the sides of a page, the height of letters, the longer side of a box or line, the width of a line. */
const PAGE_SIDE = { least: 100, most: 1_700 }
const LETTERS = { least: 4, most: 72 }
const LEAST_SIDE = 36
const MAX_LINE_WIDTH = 3
/** Smaller boxes or more of them may be a picture. */
const MAX_SHAPES = 400
const MAX_RUNS = 10_000
const STRETCH = { least: 0.5, most: 2 }
/** Of the letters and what is behind them, as WCAG 2 computes it. */
const LEAST_CONTRAST = 3
/** Points by which ink may be outside of its clip, and by which lines are straight. */
const CLIP_SHIFT = 1
const STRAIGHT = 0.05
/** Part of a letter's width by which the next one is further. */
const LEAST_STEP = 0.5
/** Part of the height of letters by which lines of text may overlap. */
const OVERLAP = 0.3

class NotPlain extends Error {}
function require(condition: boolean): asserts condition {
  if (!condition) throw new NotPlain()
}

type State = {
  matrix: Matrix
  clip: Box
  fill: string
  stroke: string
  lineWidth: number
  font: PlainFont | null
  size: number
  charSpacing: number
  wordSpacing: number
  stretch: number
  leading: number
  rise: number
  /** Saved by a form, which only its end restores. */
  isForm: boolean
}

/**
 * Whether a page of a document that was opened with `stopAtErrors` shows nothing but its text, upright, dark on light and
 * uncovered, with lines and boxes. Anything that is not known to be so makes it false.
 */
export async function isPlainPage(page: PDFPageProxy): Promise<boolean> {
  try {
    const annotations = await page.getAnnotations()
    for (const { subtype, hasAppearance, borderStyle } of annotations)
      require(subtype === 'Link' && !hasAppearance && !(borderStyle?.rawWidth > 1))
    const { fnArray, argsArray } = await page.getOperatorList()
    const painter = new PagePainter(page)
    for (const [index, operation] of fnArray.entries()) painter.run(operation, argsArray[index] ?? [])
    return true
  } catch {
    return false
  } finally {
    page.cleanup()
  }
}

class PagePainter {
  readonly #page: PDFPageProxy
  #state: State
  readonly #saved: State[] = []
  /** The matrix of the text and the beginning of its line; null outside of a text. */
  #text: { matrix: Matrix; line: Point; x: number; y: number } | null = null
  #isClipping = false
  readonly #shapes: { box: Box; color: string }[] = []
  readonly #runs: Box[] = []
  readonly #glyphs = new Map<string, PlainGlyph | null>()

  constructor(page: PDFPageProxy) {
    const { width, height, transform } = page.getViewport({ scale: 1 })
    for (const side of [width, height]) require(side >= PAGE_SIDE.least && side <= PAGE_SIDE.most)
    this.#page = page
    this.#state = {
      matrix: transform,
      clip: [0, 0, width, height],
      fill: '#000000',
      stroke: '#000000',
      lineWidth: 1,
      font: null,
      size: 0,
      charSpacing: 0,
      wordSpacing: 0,
      stretch: 1,
      leading: 0,
      rise: 0,
      isForm: false,
    }
  }

  run(operation: number, args: readonly unknown[]): void {
    if (HARMLESS.has(operation)) return
    const runOperator = this.#operators[operation]
    require(runOperator !== undefined)
    runOperator(...(args as never[]))
  }

  #set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change }
  }

  /** What each operator does; a page with any other one is not plain. */
  readonly #operators: Readonly<Record<number, (...args: never[]) => void>> = {
    [OPS.beginMarkedContentProps]: (tag: string) => require(tag !== 'OC'),
    [OPS.setGState]: (entries: [string, unknown][]) => this.#setMany(entries),
    [OPS.setLineWidth]: (lineWidth: number) => this.#set({ lineWidth }),
    [OPS.setDash]: (dashes: unknown[]) => require(dashes.length === 0),
    [OPS.setFillRGBColor]: (fill: string) => this.#set({ fill }),
    [OPS.setStrokeRGBColor]: (stroke: string) => this.#set({ stroke }),
    [OPS.save]: () => this.#save(false),
    [OPS.restore]: () => this.#restore(false),
    [OPS.transform]: (...matrix: number[]) => this.#set({ matrix: multiply(this.#state.matrix, matrix) }),
    [OPS.paintFormXObjectBegin]: (matrix: Matrix | null, box: Matrix | null) => this.#beginForm(matrix, box),
    [OPS.paintFormXObjectEnd]: () => this.#restore(true),
    [OPS.clip]: () => this.#beginClip(),
    [OPS.eoClip]: () => this.#beginClip(),
    [OPS.constructPath]: (operation: number, [path]: [ArrayLike<number> | null]) =>
      this.#drawPath(operation, path ?? []),
    [OPS.beginText]: () => this.#beginText([1, 0, 0, 1, 0, 0]),
    [OPS.endText]: () => {
      this.#text = null
    },
    [OPS.setCharSpacing]: (charSpacing: number) => this.#set({ charSpacing }),
    [OPS.setWordSpacing]: (wordSpacing: number) => this.#set({ wordSpacing }),
    [OPS.setHScale]: (percent: number) => this.#set({ stretch: percent / 100 }),
    [OPS.setLeading]: (leading: number) => this.#set({ leading: -leading }),
    [OPS.setTextRise]: (rise: number) => this.#set({ rise }),
    [OPS.setTextRenderingMode]: (mode: number) => require(mode === 0),
    [OPS.setFont]: (name: string, size: number) =>
      this.#set({ font: this.#page.commonObjs.get(name) as unknown as PlainFont, size }),
    [OPS.setTextMatrix]: (matrix: Iterable<number>) => {
      require(this.#text !== null)
      this.#beginText([...matrix])
    },
    [OPS.moveText]: (x: number, y: number) => this.#moveText(x, y),
    [OPS.setLeadingMoveText]: (x: number, y: number) => {
      this.#set({ leading: y })
      this.#moveText(x, y)
    },
    [OPS.nextLine]: () => this.#moveText(0, this.#state.leading),
    [OPS.showText]: (glyphs: (number | Glyph)[]) => this.#showText(glyphs),
  }

  #save(isForm: boolean): void {
    this.#saved.push({ ...this.#state, isForm })
  }

  #restore(isForm: boolean): void {
    const state = this.#saved.pop()
    require(state?.isForm === isForm)
    this.#state = { ...state, isForm: false }
  }

  #beginForm(matrix: Matrix | null, box: Matrix | null): void {
    this.#save(true)
    if (matrix) this.run(OPS.transform, matrix)
    if (!box) return
    const [left = Number.NaN, top = Number.NaN, right = Number.NaN, bottom = Number.NaN] = box
    this.#clip([
      [left, top],
      [right, top],
      [right, bottom],
      [left, bottom],
    ])
  }

  #beginClip(): void {
    this.#isClipping = true
  }

  #beginText(matrix: Matrix): void {
    this.#text = { matrix, line: [0, 0], x: 0, y: 0 }
  }

  #setMany(entries: readonly [string, unknown][]): void {
    for (const [key, value] of entries) {
      if (key === 'LW') this.run(OPS.setLineWidth, [value])
      else if (key === 'D') this.run(OPS.setDash, value as unknown[])
      else if (key === 'Font') this.run(OPS.setFont, value as unknown[])
      else if (key === 'CA' || key === 'ca') require(value === 1)
      else if (key === 'BM') require(value === 'source-over')
      else if (key === 'SMask') require(value === false)
      else if (key === 'TR') require(value === null)
      else require(['LC', 'LJ', 'ML', 'RI', 'FL'].includes(key))
    }
  }

  #moveText(x: number, y: number): void {
    require(this.#text !== null)
    const line = [this.#text.line[0] + x, this.#text.line[1] + y] as const
    this.#text = { ...this.#text, line, x: line[0], y: line[1] }
  }

  #showText(glyphs: readonly (number | Glyph)[]): void {
    const text = this.#text
    const { font, size, stretch, charSpacing, wordSpacing, rise, matrix } = this.#state
    require(text !== null && font !== null && isPlainFont(font))
    require(stretch >= STRETCH.least && stretch <= STRETCH.most)
    const [a = 0, b = 0, c = 0, d = 0] = multiply(matrix, text.matrix)
    // Upright, with the page turned as readers see it.
    require(a > 0 && d < 0 && Math.abs(b) + Math.abs(c) < 0.01 * a)
    const height = size * -d
    require(height >= LETTERS.least && height <= LETTERS.most)
    const width = a * size * stretch
    require(width >= height * STRETCH.least && width <= height * STRETCH.most)
    const boxes: Box[] = []
    let last: { left: number; width: number } | null = null
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        text.x -= (glyph / 1000) * size * stretch
        continue
      }
      const ink = this.#readGlyph(font, glyph)
      const [x, y] = apply(multiply(matrix, text.matrix), [text.x, text.y + rise])
      if (ink) {
        const box: Box = [x + ink[0] * width, y - ink[3] * height, x + ink[2] * width, y - ink[1] * height]
        require(!last || x >= last.left + last.width * LEAST_STEP)
        require(isWithin(box, this.#state.clip))
        last = { left: x, width: box[2] - box[0] }
        boxes.push(box)
      }
      const advance = (glyph.width / 1000) * size + charSpacing + (glyph.isSpace ? wordSpacing : 0)
      text.x += advance * stretch
    }
    if (boxes.length > 0) this.#addRun(boxes.reduce(joinBoxes), height)
  }

  #readGlyph(font: PlainFont, glyph: Glyph): PlainGlyph | null {
    const key = `${font.loadedName} ${glyph.fontChar} ${glyph.unicode} ${glyph.width}`
    const known = this.#glyphs.get(key)
    if (known !== undefined) return known
    const ink = readGlyph(this.#page, font, glyph)
    require(isPlainGlyph(glyph, ink))
    this.#glyphs.set(key, ink)
    return ink
  }

  /** Adds a line of letters: neither on others nor hardly different from what is behind them. */
  #addRun(box: Box, height: number): void {
    const [left, top, right, bottom] = box
    const core: Box = [left, top + OVERLAP * height, right, bottom]
    const inner: Box = core[3] - core[1] > 0.1 * height ? core : box
    require(this.#runs.length < MAX_RUNS && !this.#runs.some((run) => overlap(run, inner)))
    const behind = this.#shapes.findLastIndex((shape) => contains(shape.box, box))
    const colors = this.#shapes
      .slice(Math.max(0, behind))
      .filter((shape) => overlap(shape.box, box))
      .map(({ color }) => color)
    for (const color of behind < 0 ? ['#ffffff', ...colors] : colors)
      require(contrast(this.#state.fill, color) >= LEAST_CONTRAST)
    this.#runs.push(inner)
  }

  #drawPath(operation: number, path: ArrayLike<number>): void {
    const subpaths = readSubpaths(path)
    if (this.#isClipping) {
      require(operation === OPS.endPath && subpaths.length === 1)
      this.#isClipping = false
      this.#clip(subpaths[0]!.points)
      return
    }
    const { matrix, fill, stroke } = this.#state
    const placed = subpaths.map(({ points, isClosed }) => ({
      points: points.map((point) => apply(matrix, point)),
      isClosed,
    }))
    if (FILLS.has(operation)) {
      require(placed.length === 1)
      this.#addShape(boxOf(placed[0]!.points), fill)
    }
    if (STROKES.has(operation)) for (const each of placed) this.#strokeLines(each, stroke)
    require(FILLS.has(operation) || STROKES.has(operation) || operation === OPS.endPath)
  }

  #strokeLines({ points, isClosed }: Subpath, color: string): void {
    const [a = 0, b = 0, c = 0, d = 0] = this.#state.matrix
    const width = this.#state.lineWidth * Math.max(Math.hypot(a, b), Math.hypot(c, d))
    require(width <= MAX_LINE_WIDTH)
    const ends = isClosed ? [...points.slice(1), points[0]!] : points.slice(1)
    for (const [index, [x, y]] of ends.entries()) {
      const [fromX, fromY] = points[index]!
      if (x === fromX && y === fromY) continue
      require(Math.abs(x - fromX) < STRAIGHT || Math.abs(y - fromY) < STRAIGHT)
      const half = width / 2
      const box: Box = [
        Math.min(x, fromX) - half,
        Math.min(y, fromY) - half,
        Math.max(x, fromX) + half,
        Math.max(y, fromY) + half,
      ]
      this.#addShape(box, color)
    }
  }

  /** Adds a box or a line, which must not cover a text. */
  #addShape(box: Box, color: string): void {
    require(Math.max(box[2] - box[0], box[3] - box[1]) >= LEAST_SIDE)
    require(this.#shapes.length < MAX_SHAPES && !this.#runs.some((run) => overlap(run, box)))
    this.#shapes.push({ box: intersect(box, this.#state.clip), color })
  }

  #clip(points: readonly Point[]): void {
    const box = boxOf(points.map((point) => apply(this.#state.matrix, point)))
    this.#state = { ...this.#state, clip: intersect(this.#state.clip, box) }
  }
}

type Glyph = Parameters<typeof isPlainGlyph>[0]

/** They change neither what is seen nor where. */
const HARMLESS: ReadonlySet<number> = new Set([
  OPS.dependency,
  OPS.setLineCap,
  OPS.setLineJoin,
  OPS.setMiterLimit,
  OPS.setRenderingIntent,
  OPS.setFlatness,
  OPS.beginMarkedContent,
  OPS.endMarkedContent,
])
const FILLS: ReadonlySet<number> = new Set([OPS.fill, OPS.eoFill, OPS.fillStroke, OPS.eoFillStroke])
const STROKES: ReadonlySet<number> = new Set([OPS.stroke, OPS.closeStroke, OPS.fillStroke, OPS.eoFillStroke])

/** A Type 3 font draws anything; of a font that is not in the file, it is not known what is drawn. */
const isPlainFont = ({
  isType3Font,
  missingFile,
  isInvalidPDFjsFont,
  vertical,
  fontMatrix,
}: PlainFont): boolean =>
  !(isType3Font || missingFile || isInvalidPDFjsFont || vertical) &&
  (!fontMatrix || fontMatrix.every((value, index) => value === [0.001, 0, 0, 0.001, 0, 0][index]))

type Subpath = { points: readonly Point[]; isClosed: boolean }

/** Returns the straight lines of a path; throws for a curve. */
function readSubpaths(path: ArrayLike<number>): Subpath[] {
  const subpaths: { points: Point[]; isClosed: boolean }[] = []
  for (let at = 0; at < path.length; ) {
    const operation = path[at]
    if (operation === 4) {
      require(subpaths.length > 0)
      subpaths.at(-1)!.isClosed = true
      at += 1
      continue
    }
    require(operation === 0 || operation === 1)
    const point = [path[at + 1]!, path[at + 2]!] as const
    if (operation === 0) subpaths.push({ points: [point], isClosed: false })
    else {
      require(subpaths.length > 0 && !subpaths.at(-1)!.isClosed)
      subpaths.at(-1)!.points.push(point)
    }
    at += 3
  }
  return subpaths.filter(({ points }) => points.length > 1)
}

const apply = ([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
]

/** Returns a rectangle whose sides are those of the page; throws for any other shape. */
function boxOf(corners: readonly Point[]): Box {
  const isBack = corners.length === 5 && corners[0]!.every((value, axis) => value === corners[4]![axis])
  const points = isBack ? corners.slice(0, 4) : corners
  require(points.length === 4)
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const box: Box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  for (const [index, [x, y]] of points.entries()) {
    const [nextX, nextY] = points[(index + 1) % 4]!
    const isAcross = Math.abs(y - nextY) < STRAIGHT
    require(
      isAcross !== Math.abs(x - nextX) < STRAIGHT || box[2] - box[0] < STRAIGHT || box[3] - box[1] < STRAIGHT,
    )
    require([box[0], box[2]].some((side) => Math.abs(side - x) < STRAIGHT))
    require([box[1], box[3]].some((side) => Math.abs(side - y) < STRAIGHT))
  }
  return box
}

const intersect = (a: Box, b: Box): Box => [
  Math.max(a[0], b[0]),
  Math.max(a[1], b[1]),
  Math.min(a[2], b[2]),
  Math.min(a[3], b[3]),
]
const joinBoxes = (a: Box, b: Box): Box => [
  Math.min(a[0], b[0]),
  Math.min(a[1], b[1]),
  Math.max(a[2], b[2]),
  Math.max(a[3], b[3]),
]
const overlap = (a: Box, b: Box): boolean => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
const contains = (a: Box, b: Box): boolean => a[0] <= b[0] && a[1] <= b[1] && a[2] >= b[2] && a[3] >= b[3]
const isWithin = (box: Box, [left, top, right, bottom]: Box): boolean =>
  contains([left - CLIP_SHIFT, top - CLIP_SHIFT, right + CLIP_SHIFT, bottom + CLIP_SHIFT], box)

function luminance(color: string): number {
  require(/^#[0-9a-f]{6}$/i.test(color))
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
