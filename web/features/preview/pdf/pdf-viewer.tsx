import './pdf-text.css'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { explainHttpError } from '../../../api/http.ts'
import { ProgressBar } from '../../../ui/base/loading.tsx'
import { Alert } from '../../../ui/feedback/alert.tsx'
import { EmptyState, ErrorState } from '../../../ui/page/empty-state.tsx'
import { DownloadLink } from '../download-link.tsx'
import {
  downloadAddress,
  type PreviewControls,
  previewAddress,
  type Rotation,
  scrollBy,
  stepZoom,
  turnRight,
  turnSize,
  type ViewerProps,
} from '../preview-controls.ts'
import { PreviewToolbar } from '../preview-toolbar.tsx'
import { printPictures, removePictures } from '../print-pictures.ts'
import { ScrollBox } from '../scroll-box.tsx'
import { usePinchZoom, useStableScroll } from '../use-zoom.ts'
import {
  drawForPrint,
  type FirstPage,
  findPreloaded,
  fitScale,
  openPdf,
  type PageSize,
  PasswordException,
  type PDFDocumentProxy,
  type PdfOpening,
} from './pdf-documents.ts'
import { PdfPage } from './pdf-page.tsx'
import { useCurrentPage } from './use-current-page.ts'

/** CSS pixels per point at which a page has its real size. */
const REAL_SIZE_SCALE = 96 / 72
const ZOOM_LIMITS = [0.25 * REAL_SIZE_SCALE, 5 * REAL_SIZE_SCALE] as const

const UNREADABLE_MESSAGE = 'Fișierul poate fi deteriorat. După descărcare se poate încerca și cu alt program.'

type Loaded = {
  document: PDFDocumentProxy
  firstSize: PageSize
  /** Null unless it is drawn already. */
  firstPage: FirstPage | null
  opening: PdfOpening
}
type State =
  | { kind: 'loading'; progress: number | null }
  | ({ kind: 'ready' } & Loaded)
  | { kind: 'locked' }
  | { kind: 'failed'; reason: string }

const initialState = (opening: PdfOpening | null): State =>
  opening?.firstPage
    ? {
        kind: 'ready',
        opening,
        document: opening.firstPage.document,
        firstSize: opening.firstPage.size,
        firstPage: opening.firstPage,
      }
    : { kind: 'loading', progress: null }

export function PdfViewer({ file, content, onShown, marks, target, ref }: ViewerProps) {
  const [attempt, setAttempt] = useState(0)
  // A screen that is rendered before it is shown has its document's first page already.
  const [state, setState] = useState(() => initialState(findPreloaded(content ?? previewAddress(file))))
  const [isImageLeftOut, setImageLeftOut] = useState(false)
  const latestOnShown = useRef(onShown)
  latestOnShown.current = onShown

  // Before the paint, so that a preloaded document is shown in the first frame.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the document again
  useLayoutEffect(() => {
    let isCurrent = true
    const opening = openPdf(content ?? previewAddress(file))
    const update = (next: State) => {
      if (!isCurrent) return
      setState(next)
      if (next.kind === 'locked' || next.kind === 'failed') latestOnShown.current?.(false)
    }
    setImageLeftOut(false)
    opening.onImageLeftOut = () => setImageLeftOut(true)
    opening.onProgress = (progress) => update({ kind: 'loading', progress })
    // What was preloaded when the screen was rendered may have been opened again, or closed, since.
    setState((shown) => (shown.kind === 'ready' && shown.opening === opening ? shown : initialState(opening)))
    if (!opening.firstPage) {
      opening.document
        .then(async (document) => {
          const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
          update({ kind: 'ready', opening, document, firstSize: { width, height }, firstPage: null })
        })
        .catch((error: unknown) => {
          if (error instanceof PasswordException) return update({ kind: 'locked' })
          update({ kind: 'failed', reason: explainHttpError(error) ?? UNREADABLE_MESSAGE })
        })
    }
    return () => {
      isCurrent = false
      opening.close()
    }
  }, [file.id, attempt])

  if (state.kind === 'loading') {
    return (
      <div className="flex flex-1 items-center justify-center p-8">
        <ProgressBar label="Se deschide documentul" value={state.progress} className="w-full max-w-64" />
      </div>
    )
  }
  if (state.kind === 'locked') {
    return (
      <EmptyState
        icon="lock"
        title="Documentul cere o parolă"
        action={<DownloadLink href={downloadAddress(file)}>Descarcă</DownloadLink>}
      >
        Nu poate fi afișat aici. După descărcare se poate deschide cu parola lui.
      </EmptyState>
    )
  }
  if (state.kind === 'failed') {
    return (
      <ErrorState
        title="Documentul nu poate fi afișat"
        onRetry={() => {
          setState({ kind: 'loading', progress: null })
          setAttempt(attempt + 1)
        }}
      >
        {state.reason}
      </ErrorState>
    )
  }
  return (
    <>
      {isImageLeftOut && (
        <Alert
          tone="warning"
          isLive
          title="O imagine din document este prea mare ca să fie afișată aici"
          className="m-2 shrink-0"
        >
          Pagina se vede fără ea. Documentul întreg se vede în fișierul descărcat.
        </Alert>
      )}
      <Pages {...state} onShown={onShown} marks={marks} target={target} ref={ref} />
    </>
  )
}

function Pages({
  document: pdf,
  firstSize,
  firstPage,
  opening,
  onShown,
  marks = [],
  target,
  ref,
}: Loaded & Pick<ViewerProps, 'onShown' | 'marks' | 'target' | 'ref'>) {
  const box = useRef<HTMLElement>(null)
  const pages = useRef<HTMLDivElement>(null)
  const width = useWidth(box, firstPage?.boxWidth ?? null, opening)
  /** null fits the page to the width of the box. */
  const [chosenScale, setChosenScale] = useState<number | null>(null)
  const [rotation, setRotation] = useState<Rotation>(0)
  const turned = turnSize(firstSize, rotation)
  const fit = width === null ? null : fitScale(width, turned.width)
  const scale = chosenScale ?? fit
  const near = useVisiblePages(box, scale !== null)
  const { current, turn, release } = useCurrentPage(box, pages, pdf.numPages, scale !== null)
  const fixed = useStableScroll(box, scale)
  usePinchZoom({ box, content: pages, fixed }, { scale, limits: ZOOM_LIMITS, onScale: setChosenScale })
  const printing = usePrinting()
  const isReady = scale !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: turns once for each target
  useEffect(() => {
    if (target && isReady) turn(target)
  }, [target, isReady])

  const reported = useRef<'nothing' | 'failure' | 'content'>('nothing')
  const onFinished = (isDrawn: boolean) => {
    const outcome = isDrawn ? 'content' : 'failure'
    if (reported.current === 'content' || reported.current === outcome) return
    reported.current = outcome
    onShown?.(isDrawn)
  }

  const controls: PreviewControls = {
    scroll: (direction, by) => {
      release()
      scrollBy(box.current, direction, by)
    },
    turnPage: turn,
    zoom: (to) => {
      if (to === 'fit') setChosenScale(null)
      else if (scale !== null) setChosenScale(stepZoom(scale, to, ZOOM_LIMITS))
    },
    rotate: () => setRotation(turnRight),
    print: async () => printPictures(await drawForPrint(pdf, printing())),
  }
  useImperativeHandle(ref, () => controls)

  return (
    <>
      <PreviewToolbar
        page={current}
        pageCount={pdf.numPages}
        zoomText={scale === null ? '' : `${Math.round((100 * scale) / REAL_SIZE_SCALE)}%`}
        isFit={chosenScale === null}
        controls={controls}
      />
      <ScrollBox ref={box} label="Paginile documentului" className="touch-pan-x touch-pan-y bg-sunken p-3">
        <div ref={pages}>
          {scale !== null &&
            Array.from({ length: pdf.numPages }, (_, index) => (
              <PdfPage
                // biome-ignore lint/suspicious/noArrayIndexKey: a page is identified by its index
                key={index}
                document={pdf}
                number={index + 1}
                scale={scale}
                rotation={rotation}
                usualSize={turned}
                isNear={near.has(index + 1)}
                drawn={index === 0 && rotation === 0 ? firstPage : null}
                // Their places are those of the page as it is.
                marks={rotation === 0 ? marks.filter(({ page }) => page === index + 1) : []}
                onFinished={onFinished}
              />
            ))}
        </div>
      </ScrollBox>
    </>
  )
}

/** Returns a function that begins to print: its signal aborts when the document is left, and its pictures are removed. */
function usePrinting(): () => AbortSignal {
  const printing = useRef(new AbortController())
  useEffect(
    () => () => {
      printing.current.abort()
      removePictures()
    },
    [],
  )
  return () => {
    printing.current.abort()
    printing.current = new AbortController()
    return printing.current.signal
  }
}

/** Returns the width of the box without its scroll bar, `expected` until it is measured, and keeps it in `opening`. */
function useWidth(
  box: React.RefObject<HTMLElement | null>,
  expected: number | null,
  opening: PdfOpening,
): number | null {
  const [width, setWidth] = useState(expected)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      setWidth(element.clientWidth)
      opening.boxWidth = element.clientWidth
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, opening])
  return width
}

/** Returns the numbers of the pages that are on the screen or at most one screen away. */
function useVisiblePages(box: React.RefObject<HTMLElement | null>, isReady: boolean): ReadonlySet<number> {
  // The first page is at the top.
  const [near, setNear] = useState<ReadonlySet<number>>(() => new Set([1]))
  useEffect(() => {
    const root = box.current
    if (!root || !isReady) return
    const visible = new Set<number>()
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const number = Number((target as HTMLElement).dataset.page)
          if (isIntersecting) visible.add(number)
          else visible.delete(number)
        }
        setNear(new Set(visible))
      },
      { root, rootMargin: '100% 0px' },
    )
    for (const page of root.querySelectorAll('[data-page]')) observer.observe(page)
    return () => observer.disconnect()
  }, [box, isReady])
  return near
}
