import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { Spinner } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import {
  type PreviewControls,
  previewAddress,
  scrollBy,
  stepZoom,
  type ViewerProps,
} from './preview-controls.ts'
import { PreviewToolbar } from './preview-toolbar.tsx'
import { ScrollBox } from './scroll-box.tsx'

const ZOOMS = [0.1, 8] as const
/** Around the picture, on both sides together. */
const MARGIN_PX = 24

type Size = { width: number; height: number }

/** A picture, whole at first; zoomed in, it is moved by scrolling. */
export function ImageViewer({ file, onShown, ref }: ViewerProps) {
  const box = useRef<HTMLElement>(null)
  const [room, setRoom] = useState<Size | null>(null)
  const [size, setSize] = useState<Size | null>(null)
  const [isFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  /** null: as large as the box lets it be, but not larger than it is. */
  const [chosen, setChosen] = useState<number | null>(null)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() =>
      setRoom({ width: element.offsetWidth, height: element.offsetHeight }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const fit =
    room && size
      ? Math.min(1, (room.width - MARGIN_PX) / size.width, (room.height - MARGIN_PX) / size.height)
      : null
  const scale = chosen ?? fit

  const controls: PreviewControls = {
    scroll: (direction, by) => scrollBy(box.current, direction, by),
    turnPage: () => undefined,
    zoom: (to) => {
      if (to === 'fit') setChosen(null)
      else if (scale !== null) setChosen(stepZoom(scale, to, ZOOMS))
    },
  }
  useImperativeHandle(ref, () => controls)

  return (
    <>
      <PreviewToolbar
        page={null}
        pageCount={null}
        zoomText={scale === null ? '' : `${Math.round(100 * scale)}%`}
        isFit={chosen === null}
        controls={controls}
      />
      <ScrollBox ref={box} label="Imaginea" className="grid place-content-center-safe bg-sunken p-3">
        {!size && !isFailed && (
          <Spinner label="Se deschide imaginea" className="justify-self-center text-muted" />
        )}
        {isFailed ? (
          <ErrorState
            title="Imaginea nu poate fi afișată"
            onRetry={() => {
              setFailed(false)
              setAttempt(attempt + 1)
            }}
          >
            Poate lipsi conexiunea la rețea. Fișierul se poate și descărca.
          </ErrorState>
        ) : (
          <img
            key={attempt}
            src={previewAddress(file.id)}
            alt={file.name}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
              setSize({ width: naturalWidth, height: naturalHeight })
              onShown?.()
            }}
            onError={() => {
              setFailed(true)
              onShown?.()
            }}
            className={size ? 'max-w-none bg-white' : 'absolute opacity-0'}
            style={
              size && scale !== null
                ? {
                    width: `${Math.round(size.width * scale)}px`,
                    height: `${Math.round(size.height * scale)}px`,
                  }
                : undefined
            }
          />
        )}
      </ScrollBox>
    </>
  )
}
