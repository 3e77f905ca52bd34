import 'pdfjs-dist/build/pdf.worker.mjs'
import type { ImageLeftOut } from './pdf-documents.ts'

// pdf.js reports an image above `maxImageSize` only as a warning on the console of its worker.
console.warn = (text: unknown) => {
  if (!String(text).includes('Image exceeded maximum allowed size')) return
  self.postMessage('image-left-out' satisfies ImageLeftOut)
}
