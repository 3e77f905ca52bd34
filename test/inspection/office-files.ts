import { type Files, makeZip } from '../hostile-files.ts'

const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

export const paragraph = (text: string): string =>
  `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
export const row = (...cells: readonly string[]): string =>
  `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`
export const table = (...rows: readonly string[]): string => `<w:tbl>${rows.join('')}</w:tbl>`
/** Returns a part of a Word document with this content. */
export const wordDocument = (...content: readonly string[]): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><w:document><w:body>${content.join('')}</w:body></w:document>`,
  )

type SheetCell = string | number | { date: number }

/**
 * Returns a workbook of one sheet whose texts are shared, with `more` as a further one; `{ date }` is a number with the
 * format of a date. `others`: other parts, also in place of these.
 */
export function makeSheet(
  name: string,
  rows: readonly (readonly SheetCell[])[],
  more = '',
  others: Files = {},
): Promise<Buffer> {
  const texts = rows.flat().filter((cell): cell is string => typeof cell === 'string')
  const cells = (row: readonly SheetCell[], at: number) =>
    row.map((cell, column) => {
      const place = `r="${String.fromCharCode(65 + column)}${at + 1}"`
      if (typeof cell === 'string') return `<c ${place} t="s"><v>${texts.indexOf(cell)}</v></c>`
      if (typeof cell === 'number') return `<c ${place}><v>${cell.toExponential()}</v></c>`
      return `<c ${place} s="1"><v>${cell.date}</v></c>`
    })
  const shared = [...texts, ...(more === '' ? [] : [more])].map((text) => `<si><t>${text}</t></si>`)
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types><Override PartName="/xl/workbook.xml" ContentType="${SHEET}.main+xml"/></Types>`,
    'xl/workbook.xml': `<workbook><sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="rId1" Type="${RELATION}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.map((row, at) => `<row r="${at + 1}">${cells(row, at).join('')}</row>`).join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst>${shared.join('')}</sst>`,
  }
  const made = Object.entries(parts).map(([part, text]) => [
    part,
    Buffer.from(`<?xml version="1.0"?>${text}`),
  ])
  return makeZip({ ...Object.fromEntries(made), ...others })
}
