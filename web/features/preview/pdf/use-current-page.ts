import { type RefObject, useEffect, useRef, useState } from 'react'
import type { PageTurn } from '../preview-controls.ts'

/** The events with which a user scrolls. A scroll without such an event comes from the page itself. */
const SCROLLING_EVENTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/** The gap between the edge of the box and the page at its top. */
const GAP_PX = 12

/**
 * Returns the current page, and how to turn to another. After a turn the chosen page stays at the top, also
 * while pages above it get their real size, until the user scrolls; then the page in the middle of the box is
 * current.
 */
export function useCurrentPage(
  box: RefObject<HTMLElement | null>,
  pages: RefObject<HTMLElement | null>,
  pageCount: number,
  isReady: boolean,
) {
  const [current, setCurrent] = useState(1)
  /** `current` without the delay of a render: several keys may be pressed before the next render. */
  const currentNumber = useRef(1)
  const isPinned = useRef(false)

  const setPage = (number: number) => {
    currentNumber.current = number
    setCurrent(number)
  }
  const scrollToPinned = () => {
    const page = pages.current?.children[currentNumber.current - 1]
    if (isPinned.current && box.current && page instanceof HTMLElement)
      box.current.scrollTop = page.offsetTop - GAP_PX
  }
  const release = () => {
    isPinned.current = false
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions read only refs
  useEffect(() => {
    const root = box.current
    const content = pages.current
    if (!root || !content || !isReady) return
    const resizing = new ResizeObserver(scrollToPinned)
    resizing.observe(content)
    const stopped = new AbortController()
    const options = { passive: true, signal: stopped.signal }
    for (const event of SCROLLING_EVENTS) root.addEventListener(event, release, options)
    root.addEventListener(
      'scroll',
      () => {
        if (isPinned.current) return
        const isAtEnd = root.scrollTop + root.clientHeight >= root.scrollHeight - 1
        setPage(isAtEnd ? pageCount : findPageAt(content, root.scrollTop + root.clientHeight / 2))
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
    /** Stops keeping the chosen page at the top; for a scroll that the user starts outside the box. */
    release,
    turn: (to: PageTurn) => {
      const target = findTarget(to, currentNumber.current, pageCount)
      isPinned.current = true
      setPage(Math.min(pageCount, Math.max(1, target)))
      scrollToPinned()
    },
  }
}

function findTarget(to: PageTurn, current: number, pageCount: number): number {
  if (to === 'first') return 1
  if (to === 'last') return pageCount
  return typeof to === 'object' ? to.page : current + to
}

/** Returns the number of the last page that begins above this height of the content, by binary search. */
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
