import { useCallback, useEffect, useRef, useState } from 'react'
import { MIN_SHOWN_MS } from './decision-guard.ts'

/** Measures how long the document has been on the screen. */
export function useShownTime() {
  const shownAt = useRef<number | null>(null)
  /** The value of `shownAt` as state, which restarts the timer. */
  const [shownSince, setShownSince] = useState<number | null>(null)
  const [isShownLongEnough, setShownLongEnough] = useState(false)

  useEffect(() => {
    if (shownSince === null) return
    const timer = setTimeout(() => setShownLongEnough(true), MIN_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shownSince])

  const restart = useCallback(() => {
    shownAt.current = performance.now()
    setShownSince(shownAt.current)
  }, [])
  return {
    /** When the document appeared, on the clock of `performance.now()`; null if it is not shown yet. */
    shownAt,
    /** Whether the document has been on the screen for `MIN_SHOWN_MS`. */
    isShownLongEnough,
    /** Records that the document is on the screen; only the first call counts. */
    onShown: () => {
      if (shownAt.current === null) restart()
    },
    /** Measures again from now. */
    restart,
  }
}
export type ShownTime = ReturnType<typeof useShownTime>
