import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'

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
