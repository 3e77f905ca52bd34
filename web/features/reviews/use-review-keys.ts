import { useEffect, useRef } from 'react'
import { type ReviewCommand, readReviewKey } from './review-keys.ts'

/** Elements that handle letters themselves, or cover the page. */
const TEXT_ENTRY_SELECTOR =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]'
/** Elements that block the page regardless of the focus; a toast has the same role and is excluded. */
const MODAL_SELECTOR = '[role=dialog], [role=alertdialog]:not([role=region] *)'
/** Elements that the space bar activates. */
const SPACE_PRESSED_SELECTOR = 'button, a, summary, [role=button], [role=tab]'

/**
 * Calls `onCommand` for the keys of a review, wherever the focus is, unless the focused element uses the key.
 */
export function useReviewKeys(onCommand: (command: ReviewCommand) => void): void {
  const latest = useRef(onCommand)
  latest.current = onCommand
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (event.defaultPrevented || (event.key === ' ' && target?.closest(SPACE_PRESSED_SELECTOR))) return
      if (document.querySelector(MODAL_SELECTOR)) return
      const isTyping = event.isComposing || !!target?.closest(TEXT_ENTRY_SELECTOR)
      const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event
      const command = readReviewKey({ key, repeat, ctrlKey, metaKey, altKey, shiftKey, isTyping })
      if (!command) return
      event.preventDefault()
      latest.current(command)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
