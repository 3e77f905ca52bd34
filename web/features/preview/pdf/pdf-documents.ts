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
import { allowOwnWorkers } from '../../../builds/worker-policy.ts'
import { fetchBytes } from '../fetch-bytes.ts'
import type { Rotation } from '../preview-controls.ts'

/** The only module that imports pdf.js. It is large, so this module must be imported lazily. */
export type { PDFDocumentProxy, PDFPageProxy }
export { PasswordException, RenderingCancelledException, TextLayer }

/** The path of the fonts and decoders that pdf.js loads by name (vite.config.ts). */
const RESOURCES = `/assets/pdfjs-${version}/`

type PageViewport = ReturnType<PDFPageProxy['getViewport']>

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

/** How many pages of the document on the screen are being drawn. */
let drawing = 0

function startWorker(): PDFWorker {
  allowOwnWorkers()
  const port = new Worker(new URL('./pdf.worker.ts', import.meta.url), { type: 'module' })
  port.addEventListener('message', ({ data }) => {
    if (data === ('image-left-out' satisfies ImageLeftOut)) reportImageLeftOut()
  })
  // Warnings are enabled because pdf.worker.ts detects left-out images by a warning.
  return PDFWorker.create({ port, verbosity: VerbosityLevel.WARNINGS })
}

/** Returns the worker, started at the first call: before a document is known, so that it starts while nothing waits for it. */
export function getPdfWorker(): PDFWorker {
  worker ??= startWorker()
  return worker
}

/** The first page of a document, drawn before the document is shown. */
export type FirstPage = {
  document: PDFDocumentProxy
  /** In points. */
  size: PageSize
  /** The width of the box that it was drawn for. */
  boxWidth: number
  scale: number
  canvas: HTMLCanvasElement
}

export type PageSize = { width: number; height: number }

export type PdfOpening = {
  /** Rejects with a PasswordException if the document needs a password. */
  document: Promise<PDFDocumentProxy>
  /** Null unless it was drawn while the document was preloaded. */
  firstPage: FirstPage | null
  /** The width of the box in which the document is shown; null until it is measured. */
  boxWidth: number | null
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
function open(source: string | Blob): PdfOpening {
  // Starts while the document arrives.
  const worker = getPdfWorker()
  const closed = new AbortController()
  const opening: PdfOpening = {
    firstPage: null,
    boxWidth: null,
    onProgress: () => undefined,
    onImageLeftOut: () => undefined,
    close: () => {
      if (current === opening) current = null
      closed.abort()
    },
    document: readBytes(source, closed.signal, (percentage) => opening.onProgress(percentage)).then(
      (data) => {
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
      },
    ),
  }
  return opening
}

const readBytes = (source: string | Blob, ...rest: [AbortSignal, (percentage: number) => void]) =>
  typeof source === 'string' ? fetchBytes(source, ...rest) : source.arrayBuffer()

/** The one document that is preloaded; `stop` ends the drawing of its first page, null when it has ended. */
let preloaded: Preloaded | null = null
type Preloaded = { url: string; opening: PdfOpening; stop: AbortController | null }

/**
 * Preloads the document that will probably be shown next, and draws its first page as wide as the document on the
 * screen; closes the document preloaded before. Resolves when the page is drawn or the document has failed.
 */
export async function preloadPdf(url: string): Promise<void> {
  if (preloaded?.url === url) return
  dropPreloaded()
  const opening = open(url)
  const stop = new AbortController()
  const entry: Preloaded = { url, opening, stop }
  preloaded = entry
  await drawFirstPage(opening, current?.boxWidth ?? null, stop.signal)
    .catch((error: unknown) => dropFailed(entry, error))
    .finally(() => {
      entry.stop = null
    })
}

/** Closes the document that is preloaded. */
export function dropPreloaded(): void {
  preloaded?.stop?.abort()
  preloaded?.opening.close()
  preloaded = null
}

/** Closes a preloaded document that has failed, to be loaded again when it is opened; a password is asked for then. */
function dropFailed(entry: Preloaded, error: unknown): void {
  if (preloaded === entry && !(error instanceof PasswordException)) dropPreloaded()
}

async function drawFirstPage(
  opening: PdfOpening,
  boxWidth: number | null,
  signal: AbortSignal,
): Promise<void> {
  const document = await opening.document
  const page = await document.getPage(1)
  if (boxWidth === null || signal.aborted) return
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = fitScale(boxWidth, width)
  const canvas = await renderPage(page, page.getViewport({ scale }), signal)
  if (signal.aborted) return
  opening.firstPage = { document, size: { width, height }, boxWidth, scale, canvas }
}

/** Returns the opening that `openPdf` would take over now; null if the document is not preloaded. */
export const findPreloaded = (source: string | Blob): PdfOpening | null =>
  preloaded?.url === source ? preloaded.opening : null

/** Returns the document to show, preloaded or opened now, of an address or of the page's own. The caller closes it. */
export function openPdf(source: string | Blob): PdfOpening {
  const entry = preloaded?.url === source ? preloaded : null
  current = entry?.opening ?? open(source)
  if (entry) {
    entry.stop?.abort()
    preloaded = null
  }
  return current
}

/**
 * Reports an image that the worker has left out, of which it does not say the document. A preloaded document whose page
 * was being drawn is opened again, so that it is reported while that document is shown.
 */
function reportImageLeftOut(): void {
  const isPreloading = preloaded !== null && preloaded.stop !== null
  if (preloaded && isPreloading) {
    const { url } = preloaded
    preloaded.stop?.abort()
    preloaded.opening.close()
    const entry: Preloaded = { url, opening: open(url), stop: null }
    preloaded = entry
    entry.opening.document.catch((error: unknown) => dropFailed(entry, error))
  }
  if (!isPreloading || drawing > 0) current?.onImageLeftOut()
}

/** The sum of the margins on both sides of a page. */
const MARGIN_PX = 24

/** Returns the CSS pixels per point at which a page is as wide as its box. */
export const fitScale = (boxWidth: number, pageWidth: number): number =>
  Math.max(0.1, (boxWidth - MARGIN_PX) / pageWidth)

/** Mobile browsers draw nothing on a larger canvas. */
const MAX_CANVAS_PIXELS = 16_000_000

/** Draws a page of the document on the screen; rejects with a RenderingCancelledException when `signal` aborts. */
export async function drawPage(
  page: PDFPageProxy,
  viewport: PageViewport,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  drawing += 1
  try {
    return await renderPage(page, viewport, signal)
  } finally {
    drawing -= 1
  }
}

/** Returns the page's viewport at this scale, turned by `rotation` besides the page's own. */
export const viewportOf = (page: PDFPageProxy, scale: number, rotation: Rotation): PageViewport =>
  page.getViewport({ scale, rotation: (page.rotate + rotation) % 360 })

/** Each page is kept as a picture until it is printed. */
const MAX_PRINTED_PAGES = 100
/** 150 pixels an inch. */
const PRINT_SCALE = 150 / 72

/** Draws all pages as pictures, to be printed; rejects if there are too many, or `signal` aborts. */
export async function drawForPrint(
  document: PDFDocumentProxy,
  signal: AbortSignal,
): Promise<HTMLImageElement[]> {
  if (document.numPages > MAX_PRINTED_PAGES) throw new Error('too many pages to print')
  const pictures: HTMLImageElement[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number)
    signal.throwIfAborted()
    const canvas = await renderPage(page, viewportOf(page, PRINT_SCALE, 0), signal, 1)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    signal.throwIfAborted()
    const picture = new Image()
    const address = URL.createObjectURL(blob!)
    picture.src = address
    await picture.decode()
    URL.revokeObjectURL(address)
    pictures.push(picture)
  }
  return pictures
}

async function renderPage(
  page: PDFPageProxy,
  viewport: PageViewport,
  signal: AbortSignal,
  pixelRatio = devicePixelRatio,
): Promise<HTMLCanvasElement> {
  const density = Math.min(pixelRatio, Math.sqrt(MAX_CANVAS_PIXELS / (viewport.width * viewport.height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(viewport.width * density)
  canvas.height = Math.floor(viewport.height * density)
  canvas.setAttribute('aria-hidden', 'true')
  const task = page.render({
    canvas,
    viewport,
    transform: [density, 0, 0, density, 0, 0],
    annotationMode: AnnotationMode.ENABLE,
  })
  signal.addEventListener('abort', () => task.cancel())
  await task.promise
  return canvas
}
