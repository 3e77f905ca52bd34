import { formatDate } from '../../shared/romania/romanian.ts'
import { type PdfDocument, writePdf } from './pdf.ts'
import type { Picture } from './pictures.ts'
import type { Report, ReportRow } from './reports.ts'

const LEFT = 50
const RIGHT = 545
const WIDTH = RIGHT - LEFT
const INK = '#18181b'
const QUIET = '#5b5b66'
const RULE = '#d4d4d8'
const ACCENT = '#4d7c0f'
const ALARM = '#b91c1c'

const NOTICE = 'DOCUMENT DEMONSTRATIV – date fictive'

const NOTES = [
  [
    'Cum se citește acest document',
    'Rezultatele se referă numai la proba sau la regiunea examinată, la data examinării. Intervalele biologice de referință depind de vârstă, sex și metodă; o valoare marcată cu ↑ sau ↓ nu înseamnă neapărat o boală. Interpretarea aparține medicului curant, care cunoaște istoricul pacientului.',
  ],
  [
    'Păstrare și confidențialitate',
    'Documentul conține date privind sănătatea și este confidențial (Legea 46/2003, art. 21). El se transmite numai pacientului, persoanelor desemnate de acesta și furnizorilor de servicii medicale implicați în tratament. Reproducerea parțială este permisă numai cu acordul emitentului.',
  ],
  [
    'Întrebări',
    'Pentru lămuriri privind acest rezultat sau pentru o copie semnată, adresați-vă recepției, de luni până vineri, între 8:00 și 18:00. La telefon nu se comunică rezultate.',
  ],
] as const

/** Moves to a new page where less than `height` points are left on this one. */
function keepTogether(document: PdfDocument, height: number): void {
  if (document.y + height > document.page.height - document.page.margins.bottom) document.addPage()
}

function drawHeading(document: PdfDocument, text: string): void {
  keepTogether(document, 60)
  document
    .font('bold')
    .fontSize(10.5)
    .fillColor(ACCENT)
    .text(text, LEFT, document.y + 12)
    .moveDown(0.35)
}

function drawParagraph(document: PdfDocument, text: string): void {
  document
    .font('regular')
    .fontSize(9.5)
    .fillColor(INK)
    .text(text, LEFT, document.y, { width: WIDTH, lineGap: 2.5 })
}

/** Draws two columns of labelled values in a box. */
function drawDetails(document: PdfDocument, facts: Report['facts']): void {
  const top = document.y
  const half = Math.ceil(facts.length / 2)
  const column = WIDTH / 2
  const bottoms = [facts.slice(0, half), facts.slice(half)].map((part, place) => {
    document.y = top + 10
    for (const [label, value] of part) {
      const y = document.y
      const x = LEFT + 12 + place * column
      document
        .font('regular')
        .fontSize(8)
        .fillColor(QUIET)
        .text(label, x, y + 1, { width: 82 })
      document
        .font('bold')
        .fontSize(9)
        .fillColor(INK)
        .text(value, x + 84, y, { width: column - 104 })
      document.y = Math.max(document.y, y + 12) + 3
    }
    return document.y
  })
  const bottom = Math.max(...bottoms) + 6
  document
    .roundedRect(LEFT, top, WIDTH, bottom - top, 5)
    .lineWidth(0.7)
    .stroke(RULE)
  document.y = bottom
}

const COLUMNS = [
  ['Analiză', LEFT + 6, 236, 'left'],
  ['Rezultat', LEFT + 242, 70, 'right'],
  ['UM', LEFT + 330, 66, 'left'],
  ['Interval de referință', LEFT + 396, 93, 'right'],
] as const

function drawCells(document: PdfDocument, y: number, cells: readonly string[]): void {
  for (const [place, text] of cells.entries()) {
    const [, x, width, align] = COLUMNS[place]!
    document.text(text, x, y, { width, align, lineBreak: false })
  }
}

function drawTable(document: PdfDocument, rows: readonly ReportRow[]): void {
  const line = 19
  const drawHead = () => {
    const y = document.y + 4
    document.rect(LEFT, y, WIDTH, line).fill('#f4f4f5')
    document.font('bold').fontSize(8).fillColor(QUIET)
    drawCells(
      document,
      y + 5.5,
      COLUMNS.map(([name]) => name),
    )
    document.y = y + line
  }
  drawHead()
  for (const row of rows) {
    if (document.y + line > document.page.height - document.page.margins.bottom) {
      document.addPage()
      drawHead()
    }
    const y = document.y
    document
      .font(row.flag === '' ? 'regular' : 'bold')
      .fontSize(9)
      .fillColor(row.flag === '' ? INK : ALARM)
    drawCells(document, y + 5, [
      row.name,
      row.flag === '' ? row.value : `${row.flag} ${row.value}`,
      row.unit,
      row.range,
    ])
    document
      .moveTo(LEFT, y + line)
      .lineTo(RIGHT, y + line)
      .lineWidth(0.4)
      .stroke(RULE)
    document.y = y + line
  }
}

function drawPicture(document: PdfDocument, { bytes, width, height }: Picture, report: Report): void {
  document.addPage()
  drawHeading(document, 'Imagini reprezentative')
  const scale = Math.min(WIDTH / width, 480 / height)
  const top = document.y + 4
  document.image(bytes, LEFT + (WIDTH - width * scale) / 2, top, { width: width * scale })
  document
    .font('regular')
    .fontSize(8)
    .fillColor(QUIET)
    .text(`Fig. 1. ${report.title}, ${formatDate(report.examinedOn)}.`, LEFT, top + height * scale + 10, {
      width: WIDTH,
      align: 'center',
    })
}

function drawSignature(document: PdfDocument, report: Report): void {
  keepTogether(document, 90)
  const y = document.y + 26
  document.font('regular').fontSize(8).fillColor(QUIET).text('Eliberat de', LEFT, y)
  document
    .font('bold')
    .fontSize(9.5)
    .fillColor(INK)
    .text(report.examiner, LEFT, y + 12, { width: 300 })
  document
    .moveTo(RIGHT - 150, y + 24)
    .bezierCurveTo(RIGHT - 120, y - 14, RIGHT - 104, y + 40, RIGHT - 78, y + 8)
    .bezierCurveTo(RIGHT - 60, y - 8, RIGHT - 52, y + 34, RIGHT - 8, y + 10)
    .lineWidth(1.1)
    .stroke('#1d4ed8')
  document.font('regular').fontSize(7).fillColor(QUIET)
  document.text('semnătură și parafă', RIGHT - 150, y + 34, { width: 150, align: 'center', lineBreak: false })
}

/** Draws letterhead and footer of every page: the patient, the page number and the number of pages. */
function drawFrames(document: PdfDocument, report: Report): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    // Text below the bottom margin would start a new page.
    document.page.margins.bottom = 0
    document.roundedRect(LEFT, 36, 34, 34, 8).fill(ACCENT)
    document
      .rect(LEFT + 14.5, 43, 5, 20)
      .fill('#ffffff')
      .rect(LEFT + 7, 50.5, 20, 5)
      .fill('#ffffff')
    document
      .font('bold')
      .fontSize(13)
      .fillColor(INK)
      .text('Centrul de Diagnostic Demo', LEFT + 44, 37, { lineBreak: false })
    document.font('regular').fontSize(7.5).fillColor(QUIET)
    document.text(
      'Str. Exemplului nr. 7, 400001 Cluj-Napoca · 0264 555 010 · receptie@dosar.test',
      LEFT + 44,
      56,
      { lineBreak: false },
    )
    document
      .font('bold')
      .fontSize(7.5)
      .fillColor(ALARM)
      .text(NOTICE, RIGHT - 170, 41, { width: 170, align: 'right', lineBreak: false })
    document.moveTo(LEFT, 84).lineTo(RIGHT, 84).lineWidth(0.7).stroke(RULE)
    document.moveTo(LEFT, 792).lineTo(RIGHT, 792).lineWidth(0.4).stroke(RULE)
    document.font('regular').fontSize(7.5).fillColor(QUIET)
    const line = `${report.patientLine} · ${report.accession}`
    const shrink = Math.min(1, (WIDTH - 70) / document.widthOfString(line))
    document
      .fontSize(7.5 * shrink)
      .text(line, LEFT, 799, { lineBreak: false })
      .fontSize(7.5)
    document.text(`Pagina ${page - start + 1} din ${count}`, RIGHT - 60, 799, {
      width: 60,
      align: 'right',
      lineBreak: false,
    })
  }
}

/** Returns the report as a PDF of several pages: results, pictures, notes. */
export function renderReport(
  report: Report,
  picture: Picture | null,
): Promise<{ bytes: Buffer; pages: number }> {
  return writePdf({ title: report.title, at: new Date(`${report.examinedOn}T12:00:00Z`) }, (document) => {
    document.y = 100
    document
      .font('bold')
      .fontSize(16)
      .fillColor(INK)
      .text(report.title, LEFT, document.y, { width: WIDTH })
      .moveDown(0.5)
    drawDetails(document, report.facts)
    if (report.rows.length > 0) {
      drawHeading(document, 'Rezultate')
      drawTable(document, report.rows)
    }
    for (const { heading, text } of report.sections) {
      drawHeading(document, heading)
      drawParagraph(document, text)
    }
    drawHeading(document, 'Concluzie')
    drawParagraph(document, report.conclusion)
    drawHeading(document, 'Metodă')
    drawParagraph(document, report.method)
    drawSignature(document, report)
    if (picture) drawPicture(document, picture, report)
    document.addPage()
    for (const [heading, text] of NOTES) {
      drawHeading(document, heading)
      drawParagraph(document, text)
    }
    drawFrames(document, report)
  })
}
