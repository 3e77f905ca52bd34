import { useEffect, useRef, useState } from 'react'
import {
  AnnotationMode,
  type PDFDocumentProxy,
  type PDFPageProxy,
  RenderingCancelledException,
  TextLayer,
} from './pdf-documents.ts'

/** Pixels of one canvas: browsers of phones draw nothing beyond. */
const MAX_PIXELS = 16_000_000

export type PageSize = { width: number; height: number }

/**
 * One page, drawn while it is near the screen and let go when it is not. `scale` in CSS pixels a point; `usualSize` (in
 * points) stands until the page has told its own.
 */
export function PdfPage({
  document: pdf,
  number,
  scale,
  usualSize,
  isNear,
  onDrawn,
}: {
  document: PDFDocumentProxy
  number: number
  scale: number
  usualSize: PageSize
  isNear: boolean
  onDrawn: (number: number) => void
}) {
  const [size, setSize] = useState(usualSize)
  const [isFailed, setFailed] = useState(false)
  const picture = useRef<HTMLDivElement>(null)
  const words = useRef<HTMLDivElement>(null)
  const drawn = useRef(onDrawn)
  drawn.current = onDrawn

  useEffect(() => {
    if (!isNear) {
      picture.current?.replaceChildren()
      words.current?.replaceChildren()
      return
    }
    const stopped = new AbortController()
    drawPage(pdf, number, scale, picture.current!, words.current!, setSize, stopped.signal)
      .then(() => setFailed(false))
      .catch((error: unknown) => {
        if (!(error instanceof RenderingCancelledException)) setFailed(true)
      })
      .finally(() => {
        if (!stopped.signal.aborted) drawn.current(number)
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
      <section ref={words} aria-label={`Pagina ${number}`} className="pdf-text" />
      {isFailed && (
        // On paper, which is white in both modes.
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

async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  scale: number,
  picture: HTMLElement,
  words: HTMLElement,
  onSize: (size: PageSize) => void,
  signal: AbortSignal,
): Promise<void> {
  const page = await pdf.getPage(number)
  if (signal.aborted) return
  const { width, height } = page.getViewport({ scale: 1 })
  onSize({ width, height })
  const viewport = page.getViewport({ scale })
  const density = Math.min(devicePixelRatio, Math.sqrt(MAX_PIXELS / (viewport.width * viewport.height)))
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
  // Only now: until then what was drawn at another zoom stays in its place.
  picture.replaceChildren(canvas)
  await renderTextLayer(page, words, viewport, signal)
}

async function renderTextLayer(
  page: PDFPageProxy,
  words: HTMLElement,
  viewport: ReturnType<PDFPageProxy['getViewport']>,
  signal: AbortSignal,
): Promise<void> {
  words.replaceChildren()
  const layer = new TextLayer({ textContentSource: page.streamTextContent(), container: words, viewport })
  signal.addEventListener('abort', () => layer.cancel())
  // The picture is what counts: a page whose words cannot be read is still seen.
  await layer.render().catch(() => undefined)
}
