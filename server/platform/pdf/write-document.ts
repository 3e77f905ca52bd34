import PDFDocument from 'pdfkit'
import { readFont } from './read-font.ts'

export type PdfSection = { title: string; paragraphs: readonly string[] }
export type PdfText = {
  title: string
  subtitle: string
  author: string
  at: Date
  sections: readonly PdfSection[]
}

const MARGIN = 56
const FOOTER = 28

/** Read at the first document: a server that writes none needs no fonts. */
let fonts: { regular: Buffer; bold: Buffer } | undefined

/**
 * Returns an A4 document of headings and paragraphs, with embedded fonts that have the Romanian letters, numbered pages and
 * a structure for screen readers (tagged PDF). The same text gives the same bytes.
 */
export async function writeDocument({ title, subtitle, author, at, sections }: PdfText): Promise<Buffer> {
  fonts ??= {
    regular: readFont('400Regular/Inter_400Regular.ttf'),
    bold: readFont('600SemiBold/Inter_600SemiBold.ttf'),
  }
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, bottom: MARGIN + FOOTER, left: MARGIN, right: MARGIN },
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: 'ro-RO',
    info: { Title: title, Author: author, CreationDate: at },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject))
  for (const [name, font] of Object.entries(fonts)) document.registerFont(name, font)

  const root = document.struct('Document')
  document.addStructure(root)
  const write = (tag: string, font: 'regular' | 'bold', size: number, gap: number, text: string) =>
    root.add(
      document.struct(tag, {}, () => {
        document.font(font).fontSize(size).text(text, { paragraphGap: gap, lineGap: 2 })
      }),
    )
  write('H1', 'bold', 18, 4, title)
  write('P', 'regular', 10, 12, subtitle)
  for (const section of sections) {
    write('H2', 'bold', 12, 4, section.title)
    const last = section.paragraphs.length - 1
    for (const [index, paragraph] of section.paragraphs.entries())
      write('P', 'regular', 10, index === last ? 12 : 4, paragraph)
  }
  root.end()
  numberPages(document, title)
  document.end()
  await ended
  return Buffer.concat(chunks)
}

function numberPages(document: PDFKit.PDFDocument, title: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page)
    // The text lies in the margin, where it would begin a new page.
    document.page.margins.bottom = 0
    document.markContent('Artifact', { type: 'Pagination' })
    document
      .font('regular')
      .fontSize(8)
      .text(`${title} · pagina ${page - start + 1} din ${count}`, MARGIN, document.page.height - MARGIN, {
        align: 'center',
        lineBreak: false,
        width: document.page.width - 2 * MARGIN,
      })
    document.endMarkedContent()
  }
}
