import { drawTaggedPdf, type FontName } from './draw-tagged-pdf.ts'

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

/** Returns an A4 document of headings and paragraphs, with numbered pages. The same text gives the same bytes. */
export const writeDocument = ({ title, subtitle, author, at, sections }: PdfText): Promise<Buffer> =>
  drawTaggedPdf(
    {
      size: 'A4',
      margins: { top: MARGIN, bottom: MARGIN + FOOTER, left: MARGIN, right: MARGIN },
      title,
      author,
      at,
    },
    (document, root) => {
      const write = (tag: string, font: FontName, size: number, gap: number, text: string) =>
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
      numberPages(document, title)
    },
  )

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
