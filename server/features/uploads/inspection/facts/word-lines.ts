import type { TextLine } from './cells.ts'
import { findMainPart, type OfficeParts, readRelations } from './office-xml.ts'

/** The text of a document, of its headers, footers and notes, and of the text boxes of a workbook. */
const WORD_PART = /^word\/(?:document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/
const TEXT_RELATIONS: ReadonlySet<string> = new Set(['header', 'footer', 'footnotes', 'endnotes', 'comments'])
const DRAWING_PART = /^xl\/drawings\/drawing\d*\.xml$/
/** Columns that one cell of a table may span. */
const MAX_SPAN = 63
const MAX_PARAGRAPH_LENGTH = 200_000

type Row = string[][]
type Level = { paragraphs: string[]; rows: Row[]; span: number }

/** Reads the paragraphs of a Word document, the document itself first, and the rows of its tables, with tabs between the cells. */
export async function readWordLines(office: OfficeParts, add: (line: TextLine) => void): Promise<void> {
  const main = await findMainPart(office, 'word/document.xml')
  const related = (await readRelations(office, main)).filter(({ type }) => TEXT_RELATIONS.has(type))
  const parts = office.names.filter((name) => WORD_PART.test(name))
  const first = parts.filter((name) => name.includes('/document'))
  const all = [main, ...first, ...parts, ...related.map(({ target }) => target)]
  // Case does not count in the names of parts.
  await readParts(office, [...new Map(all.map((name) => [name.toLowerCase(), name])).values()], add)
}

export const readDrawingLines = (office: OfficeParts, add: (line: TextLine) => void): Promise<void> =>
  readParts(
    office,
    office.names.filter((name) => DRAWING_PART.test(name)),
    add,
  )

async function readParts(
  office: OfficeParts,
  names: readonly string[],
  add: (line: TextLine) => void,
): Promise<void> {
  let line = 0
  const emit = (text: string) => {
    line += 1
    add({ text, place: { in: 'text', line } })
  }
  for (const name of names) await readPart(office, name, emit)
}

function readPart(office: OfficeParts, name: string, emit: (text: string) => void): Promise<void> {
  // A text box is a document of its own inside a paragraph.
  const levels: Level[] = [{ paragraphs: [], rows: [], span: 1 }]
  let isText = false
  const level = () => levels.at(-1)!
  const append = (text: string) => {
    const { paragraphs } = level()
    if (paragraphs.length === 0) return
    paragraphs[paragraphs.length - 1] += text
    if (paragraphs.at(-1)!.length > MAX_PARAGRAPH_LENGTH) office.stop()
  }
  return office.parse(name, {
    open: (tag, attributes) => {
      const { paragraphs, rows } = level()
      isText = tag === 't'
      if (tag === 'p') paragraphs.push('')
      else if (tag === 'tab') append(rows.length > 0 ? ' ' : '\t')
      else if (tag === 'br' || tag === 'cr') append('\n')
      else if (tag === 'noBreakHyphen') append('-')
      else if (tag === 'tr') rows.push([])
      else if (tag === 'tc') rows.at(-1)?.push([])
      else if (tag === 'gridSpan') level().span = Math.min(MAX_SPAN, Number(attributes.val) || 1)
      else if (tag === 'txbxContent') levels.push({ paragraphs: [], rows: [], span: 1 })
    },
    text: (text) => {
      if (isText) append(text)
    },
    close: (tag) => {
      isText = false
      const here = level()
      if (tag === 'p') {
        const lines = here.paragraphs.pop()?.split('\n') ?? []
        const cell = here.rows.at(-1)?.at(-1)
        if (cell) cell.push(...lines)
        else for (const line of lines) emit(line)
      } else if (tag === 'tc') {
        for (; here.span > 1; here.span -= 1) here.rows.at(-1)?.push([])
      } else if (tag === 'tr') {
        const lines = joinRow(here.rows.pop() ?? [])
        const outer = here.rows.at(-1)?.at(-1)
        if (outer) outer.push(...lines.map((line) => line.replaceAll('\t', '  ')))
        else for (const line of lines) emit(line)
      } else if (tag === 'txbxContent' && levels.length > 1) {
        levels.pop()
      }
    },
  })
}

/** Returns the first lines of all cells as one line, then the second ones, as they are printed. */
const joinRow = (row: Row): string[] =>
  Array.from({ length: Math.max(0, ...row.map((cell) => cell.length)) }, (_, index) =>
    row.map((cell) => (cell[index] ?? '').replaceAll('\t', ' ')).join('\t'),
  )
