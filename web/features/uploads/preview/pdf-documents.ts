import {
  AnnotationMode,
  GlobalWorkerOptions,
  getDocument,
  PasswordException,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
  RenderingCancelledException,
  TextLayer,
  VerbosityLevel,
  version,
} from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { fetchBytes } from './fetch-bytes.ts'

/** The only place that opens pdf.js. It is large: whoever imports this file is imported lazily. */
export type { PDFDocumentProxy, PDFPageProxy }
export { AnnotationMode, PasswordException, RenderingCancelledException, TextLayer }

GlobalWorkerOptions.workerSrc = workerUrl

/** Where the build puts the fonts and decoders that pdf.js fetches by name (vite.config.ts). */
const RESOURCES = `/assets/pdfjs-${version}/`

/** One worker for all documents: starting it takes longer than reading most of them. */
let worker: PDFWorker | null = null

export type PdfOpening = {
  /** Rejects with a PasswordException where the document asks for one. */
  document: Promise<PDFDocumentProxy>
  /** Percent of the bytes that are here. */
  onProgress: (percentage: number) => void
  close: () => void
}

/**
 * A document comes from outside. Nothing in it may run: this pdf.js has no `eval` at all, its scripting stands in the
 * viewer that is not used here, XFA is off, and links are painted but lead nowhere [security E02].
 */
function open(url: string): PdfOpening {
  const closed = new AbortController()
  const opening: PdfOpening = {
    onProgress: () => undefined,
    close: () => closed.abort(),
    document: fetchBytes(url, closed.signal, (percentage) => opening.onProgress(percentage)).then((data) => {
      worker ??= new PDFWorker({ verbosity: VerbosityLevel.ERRORS })
      const task = getDocument({
        data,
        worker,
        enableXfa: false,
        // The policy of the page allows no WebAssembly; the same decoders exist as scripts.
        useWasm: false,
        wasmUrl: RESOURCES,
        standardFontDataUrl: RESOURCES,
        verbosity: VerbosityLevel.ERRORS,
      })
      const destroy = () => void task.destroy()
      if (closed.signal.aborted) destroy()
      closed.signal.addEventListener('abort', destroy)
      return task.promise
    }),
  }
  return opening
}

let ahead: { url: string; opening: PdfOpening } | null = null

/** Begins to read the document that will probably be wanted next; one at a time, the one before is let go. */
export function preloadPdf(url: string): void {
  if (ahead?.url === url) return
  ahead?.opening.close()
  ahead = { url, opening: open(url) }
  // Whoever takes it hears of what went wrong.
  ahead.opening.document.catch(() => undefined)
}

/** The document at an address, read ahead or from now on. Whoever takes it closes it. */
export function takePdf(url: string): PdfOpening {
  if (ahead?.url !== url) return open(url)
  const { opening } = ahead
  ahead = null
  return opening
}
