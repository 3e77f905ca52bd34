import { useEffect, useRef } from 'react'

/** `/`, anywhere but in a field or a dialog: the key for the search. */
export function useSlashKey(onSlash: () => void): void {
  const latest = useRef(onSlash)
  latest.current = onSlash
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event
      const isElsewhere =
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=listbox]') !== null
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isElsewhere) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
