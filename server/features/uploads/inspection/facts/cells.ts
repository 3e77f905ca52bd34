import { stripInvisible } from '../../../../../shared/invisible-characters.ts'
import { foldText, normaliseText } from '../../../../../shared/romania/names.ts'
import type { FactPlace } from '../../../../../shared/uploads/file-facts.ts'

/** Text that a reader found in one place; a tab, or three spaces, separates the cells of a table. */
export type TextLine = { text: string; place: FactPlace }

export type Word = { folded: string; start: number; end: number }

/** A part of a line with its position among the others. */
export type Cell = {
  text: string
  words: readonly Word[]
  place: FactPlace
  row: number
  /** Its position in the row, and the extent of it in one unit for all cells of its grid. */
  column: number
  left: number
  right: number
}

/** The cells of one page, sheet or text: rows from top to bottom, each from left to right. */
export type Grid = readonly (readonly Cell[])[]

/** Letters that are printed apart: `M U R E Ș A N   M I H A I`. */
const SPACED =
  /(?<![\p{L}\p{M}\p{N}])\p{L}(?: \p{L}){2,}(?![\p{L}\p{M}\p{N}])(?: {2,4}\p{L}(?: \p{L}){2,}(?![\p{L}\p{M}\p{N}]))*/gu
/** Cells of a line, which a tab or three spaces separate. */
const CELLS = /[^\t ]+(?: {1,2}[^\t ]+)*/g
const WORDS = /[\p{L}\p{M}]+|\p{N}+/gu
/** The second form of a word for the other sex: `Subsemnatul(a)`. */
const FORMS = / ?\((?:a|ă|ei|ul|lui|na|i)\)/gi

const joinSpacedLetters = (text: string): string =>
  text.replace(SPACED, (found) =>
    found
      .split(/ {2,}/)
      .map((word) => word.replaceAll(' ', ''))
      .join(' '),
  )

/** Returns the text without what only its layout needs, with tabs, NFC and commas below. */
export const prepareText = (text: string): string =>
  stripInvisible(text.replace(/\t/g, '\u2028').replace(/[^\S\u2028]/g, ' '))
    .replaceAll('\u2028', '\t')
    .normalize('NFC')

function readWords(text: string, folds: Map<string, string>): Word[] {
  return [...text.matchAll(WORDS)].map(({ 0: word, index }) => {
    let folded = folds.get(word)
    if (folded === undefined) {
      folded = foldText(word)
      folds.set(word, folded)
    }
    return { folded, start: index, end: index + word.length }
  })
}

type Piece = Omit<Cell, 'row' | 'column' | 'words'> & { top: number; bottom: number }

/** Returns the cells of a line. Without a box their extent is counted in characters, or in cells where tabs separate them. */
function splitLine({ text, place }: TextLine, index: number): Piece[] {
  const prepared = joinSpacedLetters(prepareText(text))
  const pieces = [...prepared.matchAll(CELLS)].flatMap(({ 0: found, index: at }) => {
    const cell = normaliseText(found.replace(FORMS, ''))
    return cell === '' ? [] : [{ text: cell, at, length: found.length }]
  })
  const position = readPosition(place)
  if (position) return pieces.length === 0 ? [] : [{ text: joinTexts(pieces), place, ...position }]
  const hasTabs = prepared.includes('\t')
  let tabs = 0
  let counted = 0
  return pieces.map(({ text, at, length }) => {
    for (; counted < at; counted += 1) if (prepared[counted] === '\t') tabs += 1
    const extent = hasTabs ? { left: tabs, right: tabs + 0.9 } : { left: at, right: at + length }
    return { text, place, ...extent, top: index, bottom: index + 0.9 }
  })
}

const joinTexts = (pieces: readonly { text: string }[]): string => pieces.map(({ text }) => text).join(' ')

type Position = Pick<Piece, 'left' | 'right' | 'top' | 'bottom'>

function readPosition({ box, cell }: FactPlace): Position | null {
  if (box) return { left: box[0], right: box[0] + box[2], top: box[1], bottom: box[1] + box[3] }
  const [, letters = '', row] = /!([A-Z]{1,3})(\d{1,7})$/.exec(cell ?? '') ?? []
  if (row === undefined) return null
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)
  return { left: column, right: column + 0.9, top: Number(row), bottom: Number(row) + 0.9 }
}

/** Returns which cells may be neighbours: those of one page, sheet, or text. */
function gridOf({ in: where, entry = '', page = 0, box, cell = '' }: FactPlace): string {
  const kind = box ? 'box' : cell === '' ? 'line' : cell.slice(0, cell.lastIndexOf('!'))
  return `${where} ${page} ${kind}\n${entry}`
}

/** Returns the lines as cells of grids, in the order of the lines. */
export function arrangeCells(lines: readonly TextLine[]): Grid[] {
  const folds = new Map<string, string>()
  const groups = new Map<string, Piece[]>()
  for (const [index, line] of lines.entries()) {
    const pieces = splitLine(line, index)
    if (pieces.length === 0) continue
    const key = gridOf(line.place)
    const group = groups.get(key)
    if (group) for (const piece of pieces) group.push(piece)
    else groups.set(key, pieces)
  }
  return [...groups.values()].map((pieces) =>
    groupRows(pieces).map((row, rowIndex) =>
      row
        .toSorted((a, b) => a.left - b.left)
        .map(({ text, place, left, right }, column) => ({
          text,
          words: readWords(text, folds),
          place,
          row: rowIndex,
          column,
          left,
          right,
        })),
    ),
  )
}

/** Returns the rows from top to bottom: cells that overlap by half of the lower one's height are in one row. */
function groupRows(pieces: readonly Piece[]): Piece[][] {
  const rows: { top: number; bottom: number; cells: Piece[] }[] = []
  for (const piece of pieces.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const last = rows.at(-1)
    const overlap = last ? Math.min(last.bottom, piece.bottom) - Math.max(last.top, piece.top) : 0
    const height = Math.min(piece.bottom - piece.top, last ? last.bottom - last.top : 0)
    if (last && overlap > 0 && overlap >= height / 2) last.cells.push(piece)
    else rows.push({ top: piece.top, bottom: piece.bottom, cells: [piece] })
  }
  return rows.map(({ cells }) => cells)
}

export const rightOf = (grid: Grid, { row, column }: Cell): Cell | undefined => grid[row]?.[column + 1]

/** Returns the cell of a row that is most clearly above or below this one. */
export function inColumn(grid: Grid, { left, right }: Cell, row: number): Cell | undefined {
  const cells = grid[row]
  if (!cells) return undefined
  let low = 0
  let high = cells.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (cells[middle]!.left < right) low = middle + 1
    else high = middle
  }
  const overlap = (cell: Cell) => Math.min(right, cell.right) - Math.max(left, cell.left)
  const near = cells.slice(Math.max(0, low - 3), low).filter((cell) => overlap(cell) > 0)
  return near.toSorted((a, b) => overlap(b) - overlap(a))[0]
}
