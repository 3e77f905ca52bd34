import { useEffect, useRef } from 'react'
import { type ReviewCommand, readReviewKey } from './review-keys.ts'

/** Where letters are written, or chosen by their first letter, and what stands over the page. */
const TEXT_ENTRY_SELECTOR =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]'
/** Something over the page that has the person's attention, wherever the focus is; a toast has the role too. */
const MODAL_SELECTOR = '[role=dialog], [role=alertdialog]:not([role=region] *)'
/** What the space bar presses. */
const SPACE_PRESSED_SELECTOR = 'button, a, summary, [role=button], [role=tab]'

/** Passes the keys of a review on, wherever the focus is, except where they mean something else. */
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
