import { type RefObject, useEffect, useRef } from 'react'

/** A dialog, which gives the focus back when it closes. */
const DIALOG = '[role=dialog], [role=alertdialog]'

/** Moves the focus to a part of the page, which has `tabIndex={-1}`, when the focused element of it disappears. */
export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  const wasInside = useRef(false)
  useEffect(() => {
    const listen = ({ target }: FocusEvent) => {
      if (!(target instanceof Element) || target.closest(DIALOG)) return
      wasInside.current = part.current?.contains(target) ?? false
    }
    document.addEventListener('focusin', listen)
    return () => document.removeEventListener('focusin', listen)
  }, [part])
  useEffect(() => {
    if (wasInside.current && document.activeElement === document.body)
      part.current?.focus({ preventScroll: true })
  })
}
