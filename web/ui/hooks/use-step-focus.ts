import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus in a container whose content changes step by step. If the new step does not take the focus,
 * the container does. The returned ref belongs on an element with `tabIndex={-1}`.
 */
export function useStepFocus(step: unknown): RefObject<HTMLDivElement | null> {
  const container = useRef<HTMLDivElement>(null)
  const lastStep = useRef(step)
  useEffect(() => {
    if (lastStep.current === step) return
    lastStep.current = step
    if (!container.current?.contains(document.activeElement)) container.current?.focus()
  }, [step])
  return container
}
