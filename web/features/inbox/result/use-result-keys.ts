import type { RefObject } from 'react'
import { usePageKeys } from '../../../ui/hooks/use-page-keys.ts'

export type ResultCommand =
  | 'next'
  | 'previous'
  | 'handle'
  | 'take'
  | 'undo'
  | 'down'
  | 'up'
  | 'screen-down'
  | 'screen-up'

const STEPS: Readonly<Record<string, ResultCommand>> = {
  j: 'next',
  ArrowRight: 'next',
  k: 'previous',
  ArrowLeft: 'previous',
}
/** As in the list; a held key marks once. */
const MARKS: Readonly<Record<string, ResultCommand>> = { e: 'handle', p: 'take', u: 'undo' }
const SCROLLS: Readonly<Record<string, ResultCommand>> = {
  ArrowDown: 'down',
  ArrowUp: 'up',
  PageDown: 'screen-down',
  ' ': 'screen-down',
  PageUp: 'screen-up',
}

/** Elements that use letters or arrows themselves. */
const OWN_KEYS_SELECTOR = 'input, textarea, select, [role=menu], [role=alertdialog]'

/**
 * Returns the command of a key: the next or previous result; while nothing in the dialog has the focus, also the movement
 * of the document. Arrows move a document that is wider than its box.
 */
function readResultKey(event: KeyboardEvent): ResultCommand | null {
  const { key, repeat, defaultPrevented, isComposing, ctrlKey, metaKey, altKey, shiftKey, target } = event
  if (defaultPrevented || isComposing || ctrlKey || metaKey || altKey || shiftKey) return null
  if (!(target instanceof Element) || target.closest(OWN_KEYS_SELECTOR)) return null
  const isUnfocused = target === document.body || target.matches('[role=dialog]')
  if (isUnfocused && SCROLLS[key]) return SCROLLS[key]
  const isWide = target.scrollWidth > target.clientWidth && target.matches('section')
  if (isWide && key.startsWith('Arrow')) return null
  return STEPS[key] ?? (repeat ? null : MARKS[key]) ?? null
}

/** Calls `onCommand` for the keys of an open result, which has this content; not for those of a dialog above it. */
export function useResultKeys(
  content: RefObject<Element | null>,
  onCommand: (command: ResultCommand) => void,
): void {
  usePageKeys((event) => {
    const dialog = event.target instanceof Element ? event.target.closest('[role=dialog]') : null
    const command = readResultKey(event)
    if (!command || (dialog && !dialog.contains(content.current))) return
    event.preventDefault()
    onCommand(command)
  })
}
