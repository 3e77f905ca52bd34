import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls to the row that the address names and focuses it, once it is shown. */
export function useNamedRow<Row extends HTMLElement>(
  isNamed: boolean,
): { ref: RefObject<Row | null>; tabIndex?: -1; 'aria-current'?: 'true' } {
  const ref = useRef<Row>(null)
  useEffect(() => {
    if (!isNamed) return
    ref.current?.scrollIntoView({ block: 'center' })
    ref.current?.focus({ preventScroll: true })
  }, [isNamed])
  return isNamed ? { ref, tabIndex: -1, 'aria-current': 'true' } : { ref }
}
