import { normaliseText } from '../../../../../shared/romania/names.ts'
import type { TextLine } from './cells.ts'
import { findMainPart, type OfficeParts, readRelations } from './office-xml.ts'

const SHEET_PART = /^xl\/worksheets\/[^/]+\.xml$/
/** Characters kept of one cell, and of all shared texts. */
const MAX_CELL_LENGTH = 1_000
const MAX_SHARED_LENGTH = 8_000_000
/** Formats of dates that every workbook has. */
const isDateFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)
const DAY_MS = 24 * 60 * 60 * 1000
const MAX_FORMAT_LENGTH = 200
const LAST_SERIAL = 2_958_465

/** Excel allows 31 characters. The name is in the place of each fact, which the database keeps without control characters. */
const MAX_SHEET_NAME_LENGTH = 60
const cleanSheetName = (name: string): string =>
  normaliseText(name).slice(0, MAX_SHEET_NAME_LENGTH).toWellFormed()
const CELL_REFERENCE = /^[A-Z]{1,3}\d{1,7}$/

type Workbook = {
  /** The names of the sheets by their parts. */
  names: Map<string, string>
  sharedTexts: string
  styles: string
  startsIn1904: boolean
}

function appendWithin(office: OfficeParts, before: string, text: string): string {
  if (before.length + text.length > MAX_CELL_LENGTH) office.noteCut()
  return (before + text).slice(0, MAX_CELL_LENGTH)
}

/** Reads the cells of a workbook with their places. A number with the format of a date is the date. */
export async function readSheetLines(office: OfficeParts, add: (line: TextLine) => void): Promise<void> {
  const workbook = await readWorkbook(office)
  const dateStyles = await readDateStyles(office, workbook.styles)
  const shared = await readSharedTexts(office, workbook.sharedTexts)
  const parts = [...workbook.names.keys(), ...office.names.filter((name) => SHEET_PART.test(name))]
  for (const part of new Set(parts)) {
    const name = workbook.names.get(part) ?? part.slice('xl/worksheets/'.length, -'.xml'.length)
    const sheet = cleanSheetName(name)
    await readSheet(office, part, { shared, dateStyles, startsIn1904: workbook.startsIn1904 }, (cell, text) =>
      add({ text, place: { in: 'text', cell: `${sheet}!${cell}` } }),
    )
  }
}

/** Returns the parts of the workbook that programs open, by its relationships. */
async function readWorkbook(office: OfficeParts): Promise<Workbook> {
  const main = await findMainPart(office, 'xl/workbook.xml')
  const sheets = new Map<string, string>()
  let startsIn1904 = false
  await office.parse(main, {
    open: (tag, { id, name, date1904 }) => {
      if (tag === 'sheet' && id !== undefined && name !== undefined) sheets.set(id, name)
      if (tag === 'workbookPr') startsIn1904 = date1904 === '1' || date1904 === 'true'
    },
  })
  const relations = await readRelations(office, main)
  const partOf = (wanted: string) => relations.find(({ type }) => type === wanted)?.target
  return {
    names: new Map(
      relations.flatMap(({ id, target }) => (sheets.has(id) ? [[target, sheets.get(id)!] as const] : [])),
    ),
    sharedTexts: partOf('sharedStrings') ?? 'xl/sharedStrings.xml',
    styles: partOf('styles') ?? 'xl/styles.xml',
    startsIn1904,
  }
}

/** Returns the indexes of the cell styles that show a number as a date. */
async function readDateStyles(office: OfficeParts, part: string): Promise<ReadonlySet<number>> {
  const formats = new Set<number>()
  const styles = new Set<number>()
  let isInCells = false
  let index = 0
  await office.parse(part, {
    open: (tag, { numFmtId, formatCode = '' }) => {
      const format = Number(numFmtId)
      // Without texts in quotes and conditions in brackets.
      const code = formatCode.slice(0, MAX_FORMAT_LENGTH).replace(/"[^"]*"|\[[^\]]*\]|\\./g, '')
      if (tag === 'numFmt' && /[dyz]/i.test(code) && /[my]/i.test(code)) formats.add(format)
      if (tag === 'cellXfs') isInCells = true
      if (tag !== 'xf' || !isInCells) return
      if (isDateFormat(format) || formats.has(format)) styles.add(index)
      index += 1
    },
    close: (tag) => {
      if (tag === 'cellXfs') isInCells = false
    },
  })
  return styles
}

async function readSharedTexts(office: OfficeParts, part: string): Promise<readonly string[]> {
  const texts: string[] = []
  let length = 0
  let text = ''
  let isText = false
  let isPhonetic = false
  await office.parse(part, {
    open: (tag) => {
      if (tag === 'si') text = ''
      if (tag === 'rPh') isPhonetic = true
      isText = tag === 't' && !isPhonetic
    },
    text: (part) => {
      if (isText) text = appendWithin(office, text, part)
    },
    close: (tag) => {
      isText = false
      if (tag === 'rPh') isPhonetic = false
      if (tag !== 'si') return
      texts.push(text)
      length += text.length + 1
      if (length > MAX_SHARED_LENGTH) office.stop()
    },
  })
  return texts
}

type Format = { shared: readonly string[]; dateStyles: ReadonlySet<number>; startsIn1904: boolean }

function readSheet(
  office: OfficeParts,
  part: string,
  format: Format,
  add: (cell: string, text: string) => void,
): Promise<void> {
  let cell: { place: string; type: string; style: number; text: string } | null = null
  let isValue = false
  return office.parse(part, {
    open: (tag, { r = '', t = 'n', s }) => {
      if (tag === 'c')
        cell = { place: CELL_REFERENCE.test(r) ? r : '', type: t, style: Number(s ?? 0), text: '' }
      isValue = tag === 'v' || tag === 't'
    },
    text: (text) => {
      if (isValue && cell) cell.text = appendWithin(office, cell.text, text)
    },
    close: (tag) => {
      isValue = false
      if (tag !== 'c' || !cell) return
      const text = showValue(cell, format)
      if (text !== '') add(cell.place, text)
      cell = null
    },
  })
}

function showValue(
  { type, style, text }: { type: string; style: number; text: string },
  { shared, dateStyles, startsIn1904 }: Format,
): string {
  if (type === 's') return shared[Number(text)] ?? ''
  if (type !== 'n' || text === '') return type === 'b' || type === 'e' ? '' : text
  const number = Number(text)
  if (!Number.isFinite(number)) return ''
  if (!dateStyles.has(style) || number < 1 || number > LAST_SERIAL) return String(number)
  const start = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  return new Date(start + Math.floor(number) * DAY_MS).toISOString().slice(0, 10)
}
