import { useEffect, useRef } from 'react'

/** Elements that handle keys themselves, or cover the page. */
const KEY_HANDLERS_SELECTOR =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=listbox], [role=menu]'

/**
 * Calls `onKey` for a letter, a digit, `/` or a paste outside all fields, before the browser handles it: if
 * `onKey` focuses a field, the field receives the text. `/` itself is not written.
 */
export function useKeysOutsideFields(onKey: () => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const isOutsideFields = ({ target, defaultPrevented }: Event) =>
      !defaultPrevented && target instanceof Element && target.closest(KEY_HANDLERS_SELECTOR) === null
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isWritten = key.length === 1 && key !== ' ' && !metaKey && ctrlKey === altKey
      if (!isWritten || !isOutsideFields(event)) return
      if (key === '/') event.preventDefault()
      latest.current()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!isOutsideFields(event)) return
      event.preventDefault()
      latest.current()
      document.execCommand('insertText', false, event.clipboardData?.getData('text/plain').trim())
    }
    document.addEventListener('keydown', onKeyDown)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}
