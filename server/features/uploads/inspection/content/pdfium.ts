import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type PDFiumDocument, PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium'

/** Opens a PDF as Chromium does; rejects if it needs a password. Call it in the sandbox. */
export async function openPdfium(bytes: Uint8Array): Promise<PDFiumDocument> {
  const path = fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm'))
  const { buffer } = Uint8Array.from(await readFile(path))
  const library = await PDFiumLibrary.init({ wasmBinary: buffer })
  return library.loadDocument(bytes)
}

const lettersAndDigits = (text: string): string => text.normalize('NFKC').replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Whether Chromium shows the same text on the same pages, given as pdfjs reads them. The two repair a damaged PDF each in its
 * own way, so that it may show one patient in one of them and another in the other.
 */
export async function isReadAlike(bytes: Uint8Array, pages: readonly string[]): Promise<boolean> {
  try {
    const document = await openPdfium(bytes)
    return (
      document.getPageCount() === pages.length &&
      pages.every(
        (page, index) => lettersAndDigits(page) === lettersAndDigits(document.getPage(index).getText()),
      )
    )
  } catch {
    return false
  }
}

/** The types of page objects that matter here, as PDFium's `fpdf_edit.h` numbers them. */
const IMAGE = 3
const FORM = 5

/** PDFium itself, with the functions that the library does not wrap; objects are pointers. */
type Pdfium = {
  HEAPU8: Uint8Array
  wasmExports: { malloc(bytes: number): number; free(pointer: number): void }
  _FPDFPage_CountObjects(page: number): number
  _FPDFPage_GetObject(page: number, index: number): number
  _FPDFFormObj_CountObjects(form: number): number
  _FPDFFormObj_GetObject(form: number, index: number): number
  _FPDFPageObj_GetType(object: number): number
  _FPDFPageObj_SetIsActive(object: number, isActive: 0 | 1): number
  _FPDFImageObj_GetImagePixelSize(image: number, width: number, height: number): number
}

/**
 * Takes out of the drawing of a page the images that say they have more pixels than `maxPixels`, also those in its forms:
 * otherwise drawing decodes all their pixels, which a file of some hundred bytes can have billions of.
 */
export function leaveOutHugeImages(page: PDFiumPage, maxPixels: number): void {
  const { module: pdfium, pageIdx } = page as unknown as { module: Pdfium; pageIdx: number }
  const visit = (object: number): void => {
    const type = pdfium._FPDFPageObj_GetType(object)
    if (type === IMAGE && countPixels(pdfium, object) > maxPixels) pdfium._FPDFPageObj_SetIsActive(object, 0)
    if (type !== FORM) return
    const inForm = pdfium._FPDFFormObj_CountObjects(object)
    for (let index = 0; index < inForm; index += 1) visit(pdfium._FPDFFormObj_GetObject(object, index))
  }
  const onPage = pdfium._FPDFPage_CountObjects(pageIdx)
  for (let index = 0; index < onPage; index += 1) visit(pdfium._FPDFPage_GetObject(pageIdx, index))
}

function countPixels(pdfium: Pdfium, image: number): number {
  const sides = pdfium.wasmExports.malloc(8)
  try {
    if (!pdfium._FPDFImageObj_GetImagePixelSize(image, sides, sides + 4)) return 0
    const { buffer } = pdfium.HEAPU8
    const [width, height] = new Uint32Array(buffer, sides, 2)
    return width! * height!
  } finally {
    pdfium.wasmExports.free(sides)
  }
}
