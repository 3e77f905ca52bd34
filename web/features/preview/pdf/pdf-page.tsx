import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { nextPaint } from '../../../ui/base/next-paint.ts'
import { type Mark, PageMarks } from '../page-marks.tsx'
import type { Rotation } from '../preview-controls.ts'
import {
  drawPage,
  type FirstPage,
  type PageSize,
  type PDFDocumentProxy,
  type PDFPageProxy,
  RenderingCancelledException,
  TextLayer,
  viewportOf,
} from './pdf-documents.ts'

/**
 * Renders a page while it is near the screen and frees it otherwise. `scale` is CSS pixels per point;
 * `usualSize` (in points) is used until the size of the page is known.
 */
export function PdfPage({
  document: pdf,
  number,
  scale,
  rotation,
  usualSize,
  isNear,
  drawn = null,
  marks,
  onFinished,
}: {
  document: PDFDocumentProxy
  number: number
  scale: number
  rotation: Rotation
  usualSize: PageSize
  isNear: boolean
  /** The picture of this page that was drawn before; shown at once, and drawn again only at another scale. */
  drawn?: Pick<FirstPage, 'canvas' | 'scale'> | null
  marks: readonly Mark[]
  /** Called when the page is drawn, or with false when it has failed. */
  onFinished: (isDrawn: boolean) => void
}) {
  const [size, setSize] = useState(usualSize)
  const [isFailed, setFailed] = useState(false)
  const picture = useRef<HTMLDivElement>(null)
  const textLayer = useRef<HTMLDivElement>(null)
  const settled = useRef(onFinished)
  settled.current = onFinished

  useLayoutEffect(() => {
    if (drawn) picture.current!.replaceChildren(drawn.canvas)
  }, [drawn])

  useEffect(() => {
    if (!isNear) {
      picture.current?.replaceChildren()
      textLayer.current?.replaceChildren()
      return
    }
    const stopped = new AbortController()
    const ready = drawn?.scale === scale ? drawn.canvas : null
    const places = { picture: picture.current!, textLayer: textLayer.current! }
    showPage(pdf, { number, scale, rotation }, ready, places, setSize, stopped.signal)
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
  }, [pdf, number, scale, rotation, isNear, drawn])

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
      <PageMarks marks={marks} />
      {isFailed && (
        // The page is white in both modes.
        <p
          role="alert"
          data-theme="light"
          className="absolute inset-x-0 top-1/3 px-6 text-center text-danger"
        >
          Pagina {number} nu poate fi afișată. După descărcare, fișierul se poate deschide pe calculator.
        </p>
      )}
    </div>
  )
}

/**
 * Draws the page at this scale, unless it is `ready`, into `picture`, with its selectable text in `textLayer`, until
 * `signal` aborts. `onSize` gets the size in points before anything is drawn.
 */
async function showPage(
  pdf: PDFDocumentProxy,
  { number, scale, rotation }: { number: number; scale: number; rotation: Rotation },
  ready: HTMLCanvasElement | null,
  { picture, textLayer }: { picture: HTMLElement; textLayer: HTMLElement },
  onSize: (size: PageSize) => void,
  signal: AbortSignal,
): Promise<void> {
  // The rest of a page that is drawn already must not delay the frame that shows it.
  if (ready) await nextPaint()
  if (signal.aborted) return
  const page = await pdf.getPage(number)
  if (signal.aborted) return
  const { width, height } = viewportOf(page, 1, rotation)
  onSize({ width, height })
  const viewport = viewportOf(page, scale, rotation)
  const canvas = ready ?? (await drawPage(page, viewport, signal))
  // Replaced only now, so that the rendering at the previous zoom stays visible until then.
  if (canvas.parentNode !== picture) picture.replaceChildren(canvas)
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
