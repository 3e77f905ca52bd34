import { useEffect, useRef } from 'react'

/** Calls `onSlash` for the key `/` outside fields and dialogs: the key for the search. */
export function useSlashKey(onSlash: () => void): void {
  const latest = useRef(onSlash)
  latest.current = onSlash
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      const isInField =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=listbox]') !== null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isInField) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
