import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { openPdfium } from '../../server/features/uploads/inspection/content/pdfium.ts'
import { drawPage } from '../../server/features/uploads/inspection/draw-pages.ts'

/** Returns the texts of the QR codes on the first page of a PDF, drawn as a printer of 150 dpi does. */
export async function readQrCodes(pdf: Uint8Array): Promise<string[]> {
  const path = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
  const { buffer: wasmBinary } = Uint8Array.from(await readFile(path))
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  const { data, width, height } = await drawPage(await openPdfium(pdf), 1, 874)
  const image = { data: Uint8ClampedArray.from(data), width, height, colorSpace: 'srgb' } as ImageData
  return (await readBarcodes(image, { formats: ['QRCode'] })).map(({ text }) => text)
}

export type TaggedNode = { role?: string; alt?: string; children?: TaggedNode[] }

/** Returns the lines, the language and the structure of a PDF of one page. */
export async function readSlip(pdf: Uint8Array) {
  const document = await getDocument({ data: Uint8Array.from(pdf), useSystemFonts: false }).promise
  const page = await document.getPage(1)
  const { items } = await page.getTextContent()
  const { info } = await document.getMetadata()
  return {
    pages: document.numPages,
    size: page.view.map(Math.round),
    words: items.flatMap((item) => ('str' in item ? item.str.split(/\s+/) : [])).filter(Boolean),
    language: (info as { Language?: string }).Language,
    structure: ((await page.getStructTree()) as TaggedNode | null)?.children?.[0],
  }
}
