import './pdf-text.css'
import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { explainHttpError } from '../../../api/http.ts'
import { AnchorButton } from '../../../ui/button.tsx'
import { EmptyState, ErrorState } from '../../../ui/empty-state.tsx'
import { ProgressBar } from '../../../ui/loading.tsx'
import { PasswordException, type PDFDocumentProxy, takePdf } from './pdf-documents.ts'
import { type PageSize, PdfPage } from './pdf-page.tsx'
import {
  downloadAddress,
  type PreviewControls,
  previewAddress,
  scrollBy,
  stepZoom,
  type ViewerProps,
} from './preview-controls.ts'
import { PreviewToolbar } from './preview-toolbar.tsx'
import { ScrollBox } from './scroll-box.tsx'

/** CSS pixels a point, at which a sheet has its real size. */
const REAL_SIZE = 96 / 72
const ZOOMS = [0.25 * REAL_SIZE, 5 * REAL_SIZE] as const
/** Beside the page, on both sides together. */
const MARGIN = 24

const UNREADABLE = 'Fișierul poate fi deteriorat. După descărcare se poate încerca și cu alt program.'

type Loaded = { document: PDFDocumentProxy; firstSize: PageSize }
type State =
  | { kind: 'loading'; progress: number | null }
  | ({ kind: 'ready' } & Loaded)
  | { kind: 'locked' }
  | { kind: 'failed'; reason: string }

export default function PdfViewer({ file, onShown, ref }: ViewerProps) {
  const [attempt, setAttempt] = useState(0)
  const [state, setState] = useState<State>({ kind: 'loading', progress: null })
  const shown = useRef(onShown)
  shown.current = onShown

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the document anew
  useEffect(() => {
    let isCurrent = true
    const opening = takePdf(previewAddress(file.id))
    const say = (next: State) => {
      if (!isCurrent) return
      setState(next)
      if (next.kind === 'locked' || next.kind === 'failed') shown.current?.()
    }
    opening.onProgress = (progress) => say({ kind: 'loading', progress })
    opening.document
      .then(async (document) => {
        const { width, height } = (await document.getPage(1)).getViewport({ scale: 1 })
        say({ kind: 'ready', document, firstSize: { width, height } })
      })
      .catch((error: unknown) => {
        if (error instanceof PasswordException) return say({ kind: 'locked' })
        say({ kind: 'failed', reason: explainHttpError(error) ?? UNREADABLE })
      })
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
        action={
          <AnchorButton href={downloadAddress(file.id)} icon="download">
            Descarcă
          </AnchorButton>
        }
      >
        Nu poate fi afișat aici. Descarcă-l și deschide-l cu parola lui.
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
  return <Pages {...state} onShown={onShown} ref={ref} />
}

function Pages({ document: pdf, firstSize, onShown, ref }: Loaded & Pick<ViewerProps, 'onShown' | 'ref'>) {
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  /** null: as wide as the box. */
  const [chosen, setChosen] = useState<number | null>(null)
  const fit = width === null ? null : Math.max(0.1, (width - MARGIN) / firstSize.width)
  const scale = chosen ?? fit
  const { near, current } = usePagesInSight(box, scale !== null)
  useSteadyScroll(box, scale)

  const isShown = useRef(false)
  const onDrawn = () => {
    if (isShown.current) return
    isShown.current = true
    onShown?.()
  }

  const controls: PreviewControls = {
    scroll: (direction, by) => scrollBy(box.current, direction, by),
    turnPage: (direction) => {
      const page = box.current?.querySelector<HTMLElement>(`[data-page="${current + direction}"]`)
      if (page && box.current) box.current.scrollTop = page.offsetTop - MARGIN / 2
    },
    zoom: (to) => {
      if (to === 'fit') setChosen(null)
      else if (scale !== null) setChosen(stepZoom(scale, to, ZOOMS))
    },
  }
  useImperativeHandle(ref, () => controls)

  return (
    <>
      <PreviewToolbar
        page={current}
        pageCount={pdf.numPages}
        zoomText={scale === null ? '' : `${Math.round((100 * scale) / REAL_SIZE)}%`}
        isFit={chosen === null}
        controls={controls}
      />
      <ScrollBox ref={box} label="Paginile documentului" className="bg-sunken p-3">
        {scale !== null &&
          Array.from({ length: pdf.numPages }, (_, index) => (
            <PdfPage
              // biome-ignore lint/suspicious/noArrayIndexKey: a page is its place
              key={index}
              document={pdf}
              number={index + 1}
              scale={scale}
              usualSize={firstSize}
              isNear={near.has(index + 1)}
              onDrawn={onDrawn}
            />
          ))}
      </ScrollBox>
    </>
  )
}

/** The width within the box, its scroll bar left out; null until it is known. */
function useWidth(box: React.RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return width
}

/** The pages on the screen or one screen away from it, and the one that is being read. */
function usePagesInSight(box: React.RefObject<HTMLElement | null>, isReady: boolean) {
  const [near, setNear] = useState<ReadonlySet<number>>(new Set())
  const [current, setCurrent] = useState(1)
  useEffect(() => {
    const root = box.current
    if (!root || !isReady) return
    const inSight = new Set<HTMLElement>()
    const numberOf = (page: HTMLElement) => Number(page.dataset.page)
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting) inSight.add(target as HTMLElement)
          else inSight.delete(target as HTMLElement)
        }
        setNear(new Set([...inSight].map(numberOf)))
      },
      { root, rootMargin: '100% 0px' },
    )
    for (const page of root.querySelectorAll('[data-page]')) observer.observe(page)
    const onScroll = () => {
      const middle = root.scrollTop + root.clientHeight / 2
      const read = [...inSight].filter(({ offsetTop }) => offsetTop <= middle).map(numberOf)
      if (read.length > 0) setCurrent(Math.max(...read))
    }
    root.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      root.removeEventListener('scroll', onScroll)
    }
  }, [box, isReady])
  return { near, current }
}

/** Keeps the same place of the document in view when its scale changes. */
function useSteadyScroll(box: React.RefObject<HTMLElement | null>, scale: number | null): void {
  const before = useRef(scale)
  useLayoutEffect(() => {
    const element = box.current
    if (element && before.current && scale) element.scrollTop *= scale / before.current
    before.current = scale
  }, [box, scale])
}
