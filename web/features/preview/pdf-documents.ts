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
import { allowOwnWorkers } from '../../builds/worker-policy.ts'
import { fetchBytes } from './fetch-bytes.ts'

/** The only module that imports pdf.js. It is large, so this module must be imported lazily. */
export type { PDFDocumentProxy, PDFPageProxy }
export { AnnotationMode, PasswordException, RenderingCancelledException, TextLayer }

/** The path of the fonts and decoders that pdf.js loads by name (vite.config.ts). */
const RESOURCES = `/assets/pdfjs-${version}/`

/** A larger image is left out: decoding it would take minutes and gigabytes. */
const MAX_IMAGE_PIXELS = 100_000_000

/** One worker for all documents: starting a worker takes longer than parsing most documents. */
let worker: PDFWorker | null = null

/**
 * The message of `pdf.worker.ts`, besides those of pdf.js, that an image has more than `MAX_IMAGE_PIXELS`.
 */
export type ImageLeftOut = 'image-left-out'

/**
 * The document on the screen. Only its pages are rendered, so the worker's messages about images belong to
 * it.
 */
let current: PdfOpening | null = null

function startWorker(): PDFWorker {
  allowOwnWorkers()
  const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
  port.addEventListener('message', ({ data }) => {
    if (data === ('image-left-out' satisfies ImageLeftOut)) current?.onImageLeftOut()
  })
  // Warnings are enabled because pdf.worker.ts detects left-out images by a warning.
  return PDFWorker.create({ port, verbosity: VerbosityLevel.WARNINGS })
}

export type PdfOpening = {
  /** Rejects with a PasswordException if the document needs a password. */
  document: Promise<PDFDocumentProxy>
  /** Called with the loaded percentage (0 to 100). */
  onProgress: (percentage: number) => void
  /** Called while the document is shown, for each of its images with more than `MAX_IMAGE_PIXELS`. */
  onImageLeftOut: () => void
  close: () => void
}

/**
 * Opens an untrusted document. Nothing in it may run: this pdf.js has no `eval`, scripting belongs to the
 * viewer that is not used here, XFA is off, and links are painted without a target [security E02].
 */
function open(url: string): PdfOpening {
  const closed = new AbortController()
  const opening: PdfOpening = {
    onProgress: () => undefined,
    onImageLeftOut: () => undefined,
    close: () => {
      if (current === opening) current = null
      closed.abort()
    },
    document: fetchBytes(url, closed.signal, (percentage) => opening.onProgress(percentage)).then((data) => {
      worker ??= startWorker()
      const task = getDocument({
        data,
        worker,
        enableXfa: false,
        maxImageSize: MAX_IMAGE_PIXELS,
        // The content security policy allows no WebAssembly; pdf.js has the same decoders as scripts.
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

/** Preloads the document that will probably be shown next; closes the document preloaded before. */
export function preloadPdf(url: string): void {
  if (preloaded?.url === url) return
  preloaded?.opening.close()
  preloaded = { url, opening: open(url) }
  // The later caller of `openPdf` handles the error.
  preloaded.opening.document.catch(() => undefined)
}

/** Returns the document to show, preloaded or opened now. The caller closes it. */
export function openPdf(url: string): PdfOpening {
  current = preloaded?.url === url ? preloaded.opening : open(url)
  if (preloaded?.opening === current) preloaded = null
  return current
}
