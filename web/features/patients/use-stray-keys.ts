import { useEffect, useRef } from 'react'

/** Elements that handle keys themselves, or cover the page. */
const KEY_HANDLERS_SELECTOR =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=listbox], [role=menu]'

/**
 * Calls `onKey` before a letter, a digit, `/` or a paste that no field would receive, so that `onKey` can
 * focus a field, into which the browser then writes. `/` itself is not written.
 */
export function useStrayKeys(onKey: () => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const isStray = ({ target, defaultPrevented }: Event) =>
      !defaultPrevented && target instanceof Element && target.closest(KEY_HANDLERS_SELECTOR) === null
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isWritten = key.length === 1 && key !== ' ' && !metaKey && ctrlKey === altKey
      if (!isWritten || !isStray(event)) return
      if (key === '/') event.preventDefault()
      latest.current()
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!isStray(event)) return
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
