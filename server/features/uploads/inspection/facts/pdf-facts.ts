import type { PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { TextContent, TextItem } from 'pdfjs-dist/types/src/display/api.js'
import type { TextLine } from './cells.ts'

type Matrix = readonly number[]
type Box = readonly [left: number, top: number, right: number, bottom: number]
/** A text on the page with its direction, its extent along and across it, and the box around it. */
type Piece = { text: string; turn: number; from: number; to: number; line: number; size: number; box: Box }

/** Parts of the size of the letters: up to the first gap the pieces are one word, up to the last one line. */
const WORD_GAP = 0.2
const WIDE_GAP = 0.5
const LINE_GAP = 1.2
/** Single letters and digits are set further apart, as in the boxes of a form. */
const SINGLE_GAP = 2.5
/** Part of the size of the letters by which pieces of one line may be higher or lower. */
const LINE_SHIFT = 0.4
/** Directions that are told apart, in degrees. */
const TURN_STEP = 3
const MAX_PIECES = 50_000

export const multiply = ([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): number[] => [
  a! * g! + c! * h!,
  b! * g! + d! * h!,
  a! * i! + c! * j!,
  b! * i! + d! * j!,
  a! * k! + c! * l! + e!,
  b! * k! + d! * l! + f!,
]

/**
 * Returns the lines of a page with their boxes, as a reader sees it: turned with the page, words that were
 * written letter by letter in one piece, and columns as lines of their own.
 */
export function readPageLines(page: PDFPageProxy, { items }: TextContent): TextLine[] {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  const pieces = items
    .filter((item): item is TextItem => 'str' in item && item.str.trim() !== '')
    .slice(0, MAX_PIECES)
    .map((item) => placeItem(item, transform))
  const isSized = Number.isFinite(width * height) && width * height > 0
  return groupLines(pieces).map((line): TextLine => {
    const place = { in: 'text', page: page.pageNumber } as const
    const box = isSized
      ? toFractions(
          line.map((piece) => piece.box),
          width,
          height,
        )
      : null
    return { text: joinPieces(line), place: box ? { ...place, box } : place }
  })
}

/** What is used of an annotation that pdfjs returns. */
type Annotation = {
  rect: readonly [number, number, number, number]
  fieldValue?: string | readonly string[] | null
  contentsObj?: { str: string }
  textContent?: readonly string[]
}

/** Returns what is filled into the fields of a form and written in notes on the page, which is no text of the page itself. */
export async function readAnnotationLines(page: PDFPageProxy): Promise<TextLine[]> {
  const annotations = (await page.getAnnotations()) as Annotation[]
  const { width, height, transform } = page.getViewport({ scale: 1 })
  return annotations.flatMap(({ rect, fieldValue, contentsObj, textContent = [] }) => {
    const [left, bottom, right, top] = rect
    // The last two numbers of the product are where the point is.
    const [, , , , x1 = 0, y1 = 0] = multiply(transform, [1, 0, 0, 1, left, bottom])
    const [, , , , x2 = 0, y2 = 0] = multiply(transform, [1, 0, 0, 1, right, top])
    const around = [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)] as const
    const box = toFractions([around], width, height)
    const texts = [fieldValue ?? [], contentsObj?.str ?? [], textContent].flat()
    return texts
      .flatMap((text) => text.split(/[\r\n]+/))
      .filter((text) => text.trim() !== '')
      .map((text): TextLine => ({ text, place: { in: 'text', page: page.pageNumber, ...(box && { box }) } }))
  })
}

function placeItem({ str, transform, width, height }: TextItem, viewport: Matrix): Piece {
  const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = multiply(viewport, transform)
  const angle = Math.atan2(b, a)
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const size = Math.hypot(c, d) || height || 1
  // The letters reach a little below the line on which they are written.
  const corners = [
    [0, 0.25 * size],
    [width, 0.25 * size],
    [0, -0.8 * size],
    [width, -0.8 * size],
  ].map(
    ([along = 0, across = 0]) => [x + along * cos - across * sin, y + along * sin + across * cos] as const,
  )
  const [xs, ys] = [corners.map((corner) => corner[0]), corners.map((corner) => corner[1])]
  const from = x * cos + y * sin
  return {
    text: str,
    turn: Math.round((angle * 180) / Math.PI / TURN_STEP),
    from,
    to: from + width,
    line: -x * sin + y * cos,
    size,
    box: [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)],
  }
}

/** Returns the pieces of each line from its beginning to its end; a wide gap ends a line. */
function groupLines(pieces: readonly Piece[]): Piece[][] {
  return [...Map.groupBy(pieces, ({ turn }) => turn).values()].flatMap((turned) => {
    const rows: Piece[][] = []
    for (const piece of turned.toSorted((a, b) => a.line - b.line)) {
      const [first] = rows.at(-1) ?? []
      const isSameRow = first && piece.line - first.line <= LINE_SHIFT * Math.min(first.size, piece.size)
      if (isSameRow) rows.at(-1)!.push(piece)
      else rows.push([piece])
    }
    return rows.flatMap((row) => splitRow(row.toSorted((a, b) => a.from - b.from)))
  })
}

const isSingle = ({ text }: Piece): boolean => [...text.trim()].length === 1

function splitRow(row: readonly Piece[]): Piece[][] {
  const lines: Piece[][] = []
  for (const piece of row) {
    const before = lines.at(-1)?.at(-1)
    const widest = before && isSingle(before) && isSingle(piece) ? SINGLE_GAP : LINE_GAP
    if (before && piece.from - before.to <= widest * Math.max(before.size, piece.size))
      lines.at(-1)!.push(piece)
    else lines.push([piece])
  }
  return lines
}

function joinPieces(line: readonly Piece[]): string {
  let text = ''
  for (const [index, piece] of line.entries()) {
    const before = line[index - 1]
    const gap = before ? (piece.from - before.to) / Math.max(before.size, piece.size) : 0
    // Two spaces keep words apart whose letters are spaced.
    const isWide = gap > WIDE_GAP && !(isSingle(before!) && isSingle(piece))
    text += (isWide ? '  ' : gap > WORD_GAP ? ' ' : '') + piece.text
  }
  return text
}

/** Returns the box around boxes as left, top, width and height in parts of the page; null if it is outside. */
function toFractions(boxes: readonly Box[], width: number, height: number) {
  const part = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000
  const left = part(Math.min(...boxes.map((box) => box[0])) / width)
  const top = part(Math.min(...boxes.map((box) => box[1])) / height)
  const right = part(Math.max(...boxes.map((box) => box[2])) / width)
  const bottom = part(Math.max(...boxes.map((box) => box[3])) / height)
  const size = (from: number, to: number) => Math.round((to - from) * 10_000) / 10_000
  return right > left && bottom > top ? ([left, top, size(left, right), size(top, bottom)] as const) : null
}
