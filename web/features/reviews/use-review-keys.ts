import { usePageKeys } from '../../ui/hooks/use-page-keys.ts'
import { type ReviewCommand, readReviewKey } from './review-keys.ts'

/** Elements that use letter keys themselves while they have the focus. */
const TEXT_ENTRY_SELECTOR =
  'input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu], [role=dialog], [role=alertdialog]'
/**
 * Open dialogs, during which no key decides about the upload; a toast, which has the same role, is no dialog.
 */
const MODAL_SELECTOR = '[role=dialog], [role=alertdialog]:not([role=region] *)'
/** Elements that the space bar activates. */
const SPACE_ACTIVATED_SELECTOR = 'button, a, summary, [role=button], [role=tab]'

/**
 * Returns the command of a key press; null while a dialog is open, and for keys that the focused element uses itself:
 * letters in a field, the space bar on a button.
 */
export function readCommand(event: KeyboardEvent): ReviewCommand | null {
  const target = event.target instanceof Element ? event.target : null
  if (event.defaultPrevented || (event.key === ' ' && target?.closest(SPACE_ACTIVATED_SELECTOR))) return null
  if (document.querySelector(MODAL_SELECTOR)) return null
  const isTyping = event.isComposing || !!target?.closest(TEXT_ENTRY_SELECTOR)
  const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event
  return readReviewKey({ key, repeat, ctrlKey, metaKey, altKey, shiftKey, isTyping })
}

/** Calls `onCommand` when a key of a review is pressed anywhere on the page. */
export function useReviewKeys(onCommand: (command: ReviewCommand) => void): void {
  usePageKeys((event) => {
    const command = readCommand(event)
    if (!command) return
    event.preventDefault()
    onCommand(command)
  })
}
