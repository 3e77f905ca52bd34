import { useEffect, useRef } from 'react'

/** What takes keys itself, or lies over the page. */
const TAKES_KEYS =
  'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog], [role=listbox], [role=menu]'

/**
 * Calls `onKey` before a letter, a digit, `/` or a paste that no field would take, so that it can give the focus to one: the
 * browser then writes there. `/` itself is not written.
 */
export function useStrayKeys(onKey: () => void): void {
  const latest = useRef(onKey)
  latest.current = onKey
  useEffect(() => {
    const isStray = ({ target, defaultPrevented }: Event) =>
      !defaultPrevented && target instanceof Element && target.closest(TAKES_KEYS) === null
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
