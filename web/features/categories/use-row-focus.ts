import { type RefObject, useRef } from 'react'

/** How long a drag or a dialog may still restore the focus to an element that is no longer there. */
const FOCUS_TIMEOUT_MS = 2_000

/**
 * Returns the ref of the element around a tree, and a function that moves the focus to the row of a slug. A
 * category with a new slug is a new row: the focus is kept there until the user moves it.
 */
export function useRowFocus(): [RefObject<HTMLDivElement | null>, (slug: string) => void] {
  const frame = useRef<HTMLDivElement>(null)
  const focusRow = (slug: string) => {
    const deadline = performance.now() + FOCUS_TIMEOUT_MS
    const moved = new AbortController()
    const onMove = () => moved.abort()
    for (const kind of ['keydown', 'pointerdown'])
      window.addEventListener(kind, onMove, { capture: true, signal: moved.signal })
    const keepFocus = () => {
      if (moved.signal.aborted) return
      if (performance.now() > deadline) return moved.abort()
      const row = frame.current?.querySelector<HTMLElement>(`[role=row][data-key="${CSS.escape(slug)}"]`)
      if (row && document.activeElement !== row) row.focus()
      requestAnimationFrame(keepFocus)
    }
    requestAnimationFrame(keepFocus)
  }
  return [frame, focusRow]
}
