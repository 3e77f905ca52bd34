import { useEffect, useRef } from 'react'

/** Calls `onKeyDown` for each key pressed on the page; if it captures, before the elements on the page get it. */
export function usePageKeys(onKeyDown: (event: KeyboardEvent) => void, isCapturing = false): void {
  const latest = useRef(onKeyDown)
  latest.current = onKeyDown
  useEffect(() => {
    const listen = (event: KeyboardEvent) => latest.current(event)
    document.addEventListener('keydown', listen, isCapturing)
    return () => document.removeEventListener('keydown', listen, isCapturing)
  }, [isCapturing])
}
