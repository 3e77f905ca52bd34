import { readFont } from './read-font.ts'

export type TaggedPdf = Pick<PDFKit.PDFDocumentOptions, 'size' | 'margins'> & {
  title: string
  author: string
  at: Date
}

/** The names of the embedded fonts. */
export type FontName = 'regular' | 'bold'

/** Read at the first document: a server that writes none needs no fonts. */
let fonts: Record<FontName, Buffer> | undefined

/**
 * Returns a PDF that `draw` fills, in Romanian, with embedded fonts that have the Romanian letters and a structure for
 * screen readers (tagged PDF), to whose root `draw` adds. The same drawing gives the same bytes.
 */
export async function drawTaggedPdf(
  { title, author, at, ...options }: TaggedPdf,
  draw: (document: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement) => void,
): Promise<Buffer> {
  fonts ??= {
    regular: readFont('400Regular/Inter_400Regular.ttf'),
    bold: readFont('600SemiBold/Inter_600SemiBold.ttf'),
  }
  // Loaded here for the same reason: the library and its fonts' decoders need 9 MiB.
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    ...options,
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
  draw(document, root)
  root.end()
  document.end()
  await ended
  return Buffer.concat(chunks)
}
