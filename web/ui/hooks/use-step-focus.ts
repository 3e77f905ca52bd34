import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a place whose content changes step by step: what had it is gone with its step, and where the new step
 * has not taken it, the place itself does. Give the ref to an element with `tabIndex={-1}`.
 */
export function useStepFocus(step: unknown): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    if (!place.current?.contains(document.activeElement)) place.current?.focus()
  }, [step])
  return place
}
