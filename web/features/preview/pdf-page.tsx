import { useEffect, useRef, useState } from 'react'
import {
  AnnotationMode,
  type PDFDocumentProxy,
  type PDFPageProxy,
  RenderingCancelledException,
  TextLayer,
} from './pdf-documents.ts'

/** Mobile browsers draw nothing on a larger canvas. */
const MAX_CANVAS_PIXELS = 16_000_000

export type PageSize = { width: number; height: number }

/**
 * Renders a page while it is near the screen and frees it otherwise. `scale` is CSS pixels per point;
 * `usualSize` (in points) is used until the size of the page is known.
 */
export function PdfPage({
  document: pdf,
  number,
  scale,
  usualSize,
  isNear,
  onFinished,
}: {
  document: PDFDocumentProxy
  number: number
  scale: number
  usualSize: PageSize
  isNear: boolean
  /** Called when the page is drawn, or with false when it has failed. */
  onFinished: (isDrawn: boolean) => void
}) {
  const [size, setSize] = useState(usualSize)
  const [isFailed, setFailed] = useState(false)
  const picture = useRef<HTMLDivElement>(null)
  const textLayer = useRef<HTMLDivElement>(null)
  const settled = useRef(onFinished)
  settled.current = onFinished

  useEffect(() => {
    if (!isNear) {
      picture.current?.replaceChildren()
      textLayer.current?.replaceChildren()
      return
    }
    const stopped = new AbortController()
    drawPage(pdf, number, scale, picture.current!, textLayer.current!, setSize, stopped.signal)
      .then(() => true)
      .catch((error: unknown) => {
        if (error instanceof RenderingCancelledException) return null
        return false
      })
      .then((isDrawn) => {
        if (isDrawn !== null) setFailed(!isDrawn)
        if (!stopped.signal.aborted) settled.current(isDrawn ?? false)
      })
    return () => stopped.abort()
  }, [pdf, number, scale, isNear])

  return (
    <div
      data-page={number}
      className="relative mx-auto mb-3 bg-white shadow-raised last:mb-0"
      style={{
        width: `${Math.floor(size.width * scale)}px`,
        height: `${Math.floor(size.height * scale)}px`,
        ['--total-scale-factor' as string]: scale,
      }}
    >
      <div ref={picture} className="absolute inset-0 *:size-full" />
      <section ref={textLayer} aria-label={`Pagina ${number}`} className="pdf-text" />
      {isFailed && (
        // The page is white in both modes.
        <p
          role="alert"
          data-theme="light"
          className="absolute inset-x-0 top-1/3 px-6 text-center text-danger"
        >
          Pagina {number} nu poate fi afișată. Descarcă fișierul ca să o vezi.
        </p>
      )}
    </div>
  )
}

/**
 * Draws the page at this scale into `picture`, with its selectable text in `textLayer`, until `signal`
 * aborts. `onSize` gets the size in points before anything is drawn.
 */
async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  scale: number,
  picture: HTMLElement,
  textLayer: HTMLElement,
  onSize: (size: PageSize) => void,
  signal: AbortSignal,
): Promise<void> {
  const page = await pdf.getPage(number)
  if (signal.aborted) return
  const { width, height } = page.getViewport({ scale: 1 })
  onSize({ width, height })
  const viewport = page.getViewport({ scale })
  const density = Math.min(
    devicePixelRatio,
    Math.sqrt(MAX_CANVAS_PIXELS / (viewport.width * viewport.height)),
  )
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
  // Replaced only now, so that the rendering at the previous zoom stays visible until then.
  picture.replaceChildren(canvas)
  await renderTextLayer(page, textLayer, viewport, signal)
}

async function renderTextLayer(
  page: PDFPageProxy,
  textLayer: HTMLElement,
  viewport: ReturnType<PDFPageProxy['getViewport']>,
  signal: AbortSignal,
): Promise<void> {
  textLayer.replaceChildren()
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: textLayer, viewport })
  signal.addEventListener('abort', () => layer.cancel())
  // The image is sufficient: a page whose text cannot be extracted is still shown.
  await layer.render().catch(() => undefined)
}
