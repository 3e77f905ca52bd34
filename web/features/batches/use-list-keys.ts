import { usePageKeys } from '../../ui/hooks/use-page-keys.ts'
import { type GroupCommand, readGroupKey } from './group-keys.ts'

/** Elements that handle keys themselves, or cover the page. */
const KEY_HANDLERS =
  'input, textarea, select, [contenteditable], [data-own-keys], [role=dialog], [role=alertdialog]:not([role=region] *), [role=listbox], [role=menu], [role=combobox]'
/** Elements that the space bar, Enter or the arrow keys operate. */
const OPERATED = 'button, a, [role=tab]'

/** Calls `onCommand` for the keys of the list outside fields, dialogs and buttons. */
export function useListKeys(onCommand: (command: GroupCommand) => void): void {
  // Captured before React Aria, which takes Enter for a press of what has the focus.
  usePageKeys((event) => {
    const { target } = event
    if (event.defaultPrevented || event.isComposing || !(target instanceof Element)) return
    if (
      target.closest(KEY_HANDLERS) ||
      document.querySelector('[role=dialog], [role=alertdialog]:not([role=region] *)')
    )
      return
    const command = readGroupKey(event)
    if (!command) return
    const isForPage = command === 'accept-sure' || command === 'undo'
    if (!isForPage && target.closest(OPERATED) && !isMove(command, target)) return
    // Not for the button that has the focus, too.
    if (command === 'accept-sure') event.stopPropagation()
    // A letter is written into the field that opens.
    if (command !== 'search' || event.key === '/') event.preventDefault()
    onCommand(command)
  }, true)
}

/** Whether the arrow keys leave a button of a row. */
const isMove = (command: GroupCommand, target: Element): boolean =>
  (command === 'next' || command === 'previous') && target.closest('tr[data-group]') !== null
