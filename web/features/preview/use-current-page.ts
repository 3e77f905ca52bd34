import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PageTurn } from './preview-controls.ts'

/** What a person scrolls with. A scroll without one of these comes from the page itself. */
const SCROLLING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** CSS pixels between the edge of the box and the page at its top. */
const GAP = 12

/**
 * The page being read, and how to go to another. After a turn the chosen page stays at the top, also while pages above it
 * get their real size, until the person scrolls; from then on the page in the middle of the box counts.
 */
export function useCurrentPage(
  box: RefObject<HTMLElement | null>,
  pages: RefObject<HTMLElement | null>,
  pageCount: number,
  isReady: boolean,
) {
  const [current, setCurrent] = useState(1)
  /** The same number, known at once: several keys may come before the next render. */
  const place = useRef(1)
  const isHeld = useRef(false)

  const show = (number: number) => {
    place.current = number
    setCurrent(number)
  }
  const scrollToHeld = () => {
    const page = pages.current?.children[place.current - 1]
    if (isHeld.current && box.current && page instanceof HTMLElement)
      box.current.scrollTop = page.offsetTop - GAP
  }
  const release = () => {
    isHeld.current = false
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read references alone
  useEffect(() => {
    const root = box.current
    const content = pages.current
    if (!root || !content || !isReady) return
    const resizing = new ResizeObserver(scrollToHeld)
    resizing.observe(content)
    const stopped = new AbortController()
    const options = { passive: true, signal: stopped.signal }
    for (const event of SCROLLING_EVENTS) root.addEventListener(event, release, options)
    root.addEventListener(
      'scroll',
      () => {
        if (isHeld.current) return
        const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - 1
        show(isAtEnd ? pageCount : findPageAt(content, root.scrollTop + root.clientHeight / 2))
      },
      options,
    )
    return () => {
      resizing.disconnect()
      stopped.abort()
    }
  }, [box, pages, pageCount, isReady])

  return {
    current,
    /** Ends the hold on the chosen page; for a scroll that the person asked for outside the box. */
    release,
    turn: (to: PageTurn) => {
      const wanted = to === 'first' ? 1 : to === 'last' ? pageCount : place.current + to
      isHeld.current = true
      show(Math.min(pageCount, Math.max(1, wanted)))
      scrollToHeld()
    },
  }
}

/** The number of the last page that begins above this height of the content, found by halving. */
function findPageAt(content: HTMLElement, height: number): number {
  const pages = content.children as HTMLCollectionOf<HTMLElement>
  let first = 0
  let last = pages.length - 1
  while (first < last) {
    const middle = Math.ceil((first + last) / 2)
    if (pages[middle]!.offsetTop <= height) first = middle
    else last = middle - 1
  }
  return first + 1
}
