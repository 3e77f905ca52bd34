import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { Spinner } from '../../ui/base/loading.tsx'
import { ErrorState } from '../../ui/page/empty-state.tsx'
import { PageMarks } from './page-marks.tsx'
import {
  type PreviewControls,
  type PreviewFile,
  previewAddress,
  type Rotation,
  scrollBy,
  stepZoom,
  turnRight,
  turnSize,
  type ViewerProps,
} from './preview-controls.ts'
import { PreviewToolbar } from './preview-toolbar.tsx'
import { printPictures, removePictures } from './print-pictures.ts'
import { ScrollBox } from './scroll-box.tsx'
import { usePinchZoom, useStableScroll } from './use-zoom.ts'

const ZOOM_LIMITS = [0.1, 8] as const
/** The sum of the margins on both sides of the image. */
const MARGIN_PX = 24

type Size = { width: number; height: number }

/** Returns the address of the file's content; null until the page's own has one. */
function useAddress(file: PreviewFile, content: Blob | undefined): string | null {
  const [own, setOwn] = useState<string | null>(null)
  useEffect(() => {
    if (!content) return
    const address = URL.createObjectURL(content)
    setOwn(address)
    return () => URL.revokeObjectURL(address)
  }, [content])
  return content ? own : previewAddress(file)
}

const sizeAt = (size: Size | null, scale: number | null) =>
  size && scale !== null
    ? { width: `${Math.round(size.width * scale)}px`, height: `${Math.round(size.height * scale)}px` }
    : undefined

/** Shows an image, at first completely; a zoomed image is moved by scrolling. */
export function ImageViewer({ file, content, onShown, marks = [], ref }: ViewerProps) {
  const box = useRef<HTMLElement>(null)
  const [room, setRoom] = useState<Size | null>(null)
  const [size, setSize] = useState<Size | null>(null)
  const [isFailed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const address = useAddress(file, content)
  /** null fits the image into the box, at most in its real size. */
  const [chosenScale, setChosenScale] = useState<number | null>(null)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const observer = new ResizeObserver(() =>
      setRoom({ width: element.offsetWidth, height: element.offsetHeight }),
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const [rotation, setRotation] = useState<Rotation>(0)
  const turned = size && turnSize(size, rotation)
  const fit =
    room && turned
      ? Math.min(1, (room.width - MARGIN_PX) / turned.width, (room.height - MARGIN_PX) / turned.height)
      : null
  const scale = chosenScale ?? fit
  const frame = useRef<HTMLDivElement>(null)
  const image = useRef<HTMLImageElement>(null)
  const fixed = useStableScroll(box, scale)
  usePinchZoom({ box, content: frame, fixed }, { scale, limits: ZOOM_LIMITS, onScale: setChosenScale })
  useEffect(() => removePictures, [])

  const controls: PreviewControls = {
    scroll: (direction, by) => scrollBy(box.current, direction, by),
    turnPage: () => undefined,
    zoom: (to) => {
      if (to === 'fit') setChosenScale(null)
      else if (scale !== null) setChosenScale(stepZoom(scale, to, ZOOM_LIMITS))
    },
    rotate: () => setRotation(turnRight),
    print: async () => {
      const picture = new Image()
      // The browser shows an image that the page has loaded without another request.
      picture.src = image.current!.src
      await printPictures([picture])
    },
  }
  useImperativeHandle(ref, () => controls)

  return (
    <>
      <PreviewToolbar
        page={null}
        pageCount={null}
        zoomText={scale === null ? '' : `${Math.round(100 * scale)}%`}
        isFit={chosenScale === null}
        controls={controls}
      />
      <ScrollBox
        ref={box}
        label="Imaginea"
        className="grid touch-pan-x touch-pan-y place-content-center-safe bg-sunken p-3"
      >
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
          <div ref={frame} className={size ? 'relative' : undefined} style={sizeAt(turned, scale)}>
            <img
              ref={image}
              key={attempt}
              src={address ?? undefined}
              alt={file.name}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
                setSize({ width: naturalWidth, height: naturalHeight })
                onShown?.(true)
              }}
              onError={() => {
                setFailed(true)
                onShown?.(false)
              }}
              className={
                size ? 'absolute top-1/2 left-1/2 max-w-none -translate-1/2 bg-white' : 'absolute opacity-0'
              }
              style={{ ...sizeAt(size, scale), ...(rotation !== 0 && { rotate: `${rotation}deg` }) }}
            />
            {size && rotation === 0 && <PageMarks marks={marks} />}
          </div>
        )}
      </ScrollBox>
    </>
  )
}
