import {
  AnnotationMode,
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
import { fetchBytes } from './fetch-bytes.ts'

/** The only place that opens pdf.js. It is large: whoever imports this file is imported lazily. */
export type { PDFDocumentProxy, PDFPageProxy }
export { AnnotationMode, PasswordException, RenderingCancelledException, TextLayer }

/** Where the build puts the fonts and decoders that pdf.js fetches by name (vite.config.ts). */
const RESOURCES = `/assets/pdfjs-${version}/`

/** Pixels of one image. A larger one is left out: decoding it would take minutes and gigabytes. */
const MAX_IMAGE_PIXELS = 100_000_000

/** One worker for all documents: starting it takes longer than reading most of them. */
let worker: PDFWorker | null = null

/** What `pdf.worker.ts` sends beside the messages of pdf.js: an image has more than `MAX_IMAGE_PIXELS`. */
export type ImageLeftOut = 'image-left-out'

/** The document on the screen. Only its pages are drawn, so what the worker says of an image is about it. */
let shown: PdfOpening | null = null

function startWorker(): PDFWorker {
  const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
  port.addEventListener('message', ({ data }) => {
    if (data === ('image-left-out' satisfies ImageLeftOut)) shown?.onImageLeftOut()
  })
  // With its warnings, because one of them says that an image was left out (pdf.worker.ts).
  return PDFWorker.create({ port, verbosity: VerbosityLevel.WARNINGS })
}

export type PdfOpening = {
  /** Rejects with a PasswordException where the document asks for one. */
  document: Promise<PDFDocumentProxy>
  /** Percent of the bytes that are here. */
  onProgress: (percentage: number) => void
  /** Called while the document is shown, for each of its images with more than `MAX_IMAGE_PIXELS`. */
  onImageLeftOut: () => void
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
    onImageLeftOut: () => undefined,
    close: () => {
      if (shown === opening) shown = null
      closed.abort()
    },
    document: fetchBytes(url, closed.signal, (percentage) => opening.onProgress(percentage)).then((data) => {
      worker ??= startWorker()
      const task = getDocument({
        data,
        worker,
        enableXfa: false,
        maxImageSize: MAX_IMAGE_PIXELS,
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

let preloaded: { url: string; opening: PdfOpening } | null = null

/** Begins to read the document that will probably be wanted next; one at a time, the one before is let go. */
export function preloadPdf(url: string): void {
  if (preloaded?.url === url) return
  preloaded?.opening.close()
  preloaded = { url, opening: open(url) }
  // Whoever takes it hears of what went wrong.
  preloaded.opening.document.catch(() => undefined)
}

/** Returns the document to show, from what was preloaded or read from now on. The caller closes it. */
export function openPdf(url: string): PdfOpening {
  shown = preloaded?.url === url ? preloaded.opening : open(url)
  if (preloaded?.opening === shown) preloaded = null
  return shown
}
