import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

type Point = { x: number; y: number }
type Element = RefObject<HTMLElement | null>

/**
 * Keeps the visible part of the content of `box` in view when its scale changes. Returns the point of the box that stays
 * where it is at the next change, relative to its corner, which is the default.
 */
export function useStableScroll(box: Element, scale: number | null): RefObject<Point> {
  const previousScale = useRef(scale)
  const fixed = useRef<Point>({ x: 0, y: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (element && previousScale.current && scale && scale !== previousScale.current) {
      const { x, y } = fixed.current
      const ratio = scale / previousScale.current
      // Reading the position makes the browser lay out the page.
      element.scrollTop = (element.scrollTop + y) * ratio - y
      element.scrollLeft = (element.scrollLeft + x) * ratio - x
    }
    fixed.current = { x: 0, y: 0 }
    previousScale.current = scale
  }, [box, scale])
  return fixed
}

/**
 * Zooms `content` with two fingers on `box`: the picture is stretched while they move, and drawn at the new scale when
 * they leave. The box needs `touch-action: pan-x pan-y`, so that the browser does not zoom the page.
 */
export function usePinchZoom(
  { box, content, fixed }: { box: Element; content: Element; fixed: RefObject<Point> },
  {
    scale,
    limits,
    onScale,
  }: { scale: number | null; limits: readonly [number, number]; onScale: (to: number) => void },
): void {
  const latest = useRef({ scale, limits, onScale })
  latest.current = { scale, limits, onScale }
  useEffect(() => {
    const element = box.current
    if (!element) return
    let pinch: { distance: number; scale: number; factor: number; point: Point } | null = null
    const stopped = new AbortController()
    const { signal } = stopped
    element.addEventListener(
      'touchstart',
      ({ touches }) => {
        if (touches.length !== 2 || latest.current.scale === null || !content.current) return
        const inBox = middleOf(touches, element)
        const { x, y } = middleOf(touches, content.current)
        content.current.style.transformOrigin = `${x}px ${y}px`
        pinch = { distance: distanceOf(touches), scale: latest.current.scale, factor: 1, point: inBox }
      },
      { passive: true, signal },
    )
    element.addEventListener(
      'touchmove',
      (event) => {
        if (!pinch || event.touches.length !== 2 || !content.current) return
        event.preventDefault()
        const [min, max] = latest.current.limits
        const wanted = (pinch.scale * distanceOf(event.touches)) / pinch.distance
        pinch.factor = Math.min(max, Math.max(min, wanted)) / pinch.scale
        content.current.style.transform = `scale(${pinch.factor})`
      },
      { passive: false, signal },
    )
    const end = () => {
      if (!pinch) return
      const { factor, point } = pinch
      fixed.current = point
      latest.current.onScale(pinch.scale * factor)
      pinch = null
      if (content.current) content.current.style.transform = ''
    }
    element.addEventListener('touchend', end, { signal })
    element.addEventListener('touchcancel', end, { signal })
    return () => stopped.abort()
  }, [box, content, fixed])
}

const distanceOf = ([a, b]: TouchList): number => Math.hypot(a!.clientX - b!.clientX, a!.clientY - b!.clientY)

function middleOf([a, b]: TouchList, element: HTMLElement): Point {
  const { left, top } = element.getBoundingClientRect()
  return { x: (a!.clientX + b!.clientX) / 2 - left, y: (a!.clientY + b!.clientY) / 2 - top }
}
