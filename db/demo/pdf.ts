import { create } from 'fontkit'
import PDFDocument from 'pdfkit'
import { readFont } from '../../server/platform/pdf/read-font.ts'

export type PdfDocument = InstanceType<typeof PDFDocument>

/** Parsed once for all documents: parsing takes three quarters of the time of a page. */
const FONTS = {
  regular: create(readFont('400Regular/Inter_400Regular.ttf')),
  bold: create(readFont('600SemiBold/Inter_600SemiBold.ttf')),
}

/**
 * Returns an A4 PDF that `draw` fills, with the embedded fonts `regular` and `bold`. Pages are kept until the end, so that
 * `draw` can number them. The same drawing with the same `info` gives the same bytes.
 */
export async function writePdf(
  info: { title: string; at: Date },
  draw: (document: PdfDocument) => void,
): Promise<{ bytes: Buffer; pages: number }> {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: 96, bottom: 64, left: 50, right: 50 },
    bufferPages: true,
    lang: 'ro',
    info: { Title: info.title, Author: 'Centrul de Diagnostic Demo', CreationDate: info.at },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject))
  // pdfkit also takes a parsed font, which its types do not say.
  for (const [name, font] of Object.entries(FONTS)) document.registerFont(name, font as never)
  document.font('regular')
  draw(document)
  const pages = document.bufferedPageRange().count
  document.end()
  await ended
  return { bytes: Buffer.concat(chunks), pages }
}
