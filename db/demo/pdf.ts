import PDFDocument from 'pdfkit'
import { readFont } from '../../server/platform/pdf/read-font.ts'

export type PdfDocument = InstanceType<typeof PDFDocument>

const FONTS = {
  regular: readFont('400Regular/Inter_400Regular.ttf'),
  bold: readFont('600SemiBold/Inter_600SemiBold.ttf'),
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
  for (const [name, font] of Object.entries(FONTS)) document.registerFont(name, font)
  document.font('regular')
  draw(document)
  const pages = document.bufferedPageRange().count
  document.end()
  await ended
  return { bytes: Buffer.concat(chunks), pages }
}
