import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

const SearchPalette = lazy(() =>
  import('./search-palette.tsx').then(({ SearchPalette }) => ({ default: SearchPalette })),
)

/** The site search, opened by `open` and by Ctrl K or ⌘ K from anywhere, fields included. `palette` stands in the page. */
export function useSearchPalette(): { open: () => void; palette: ReactNode } {
  const [isOpen, setOpen] = useState(false)
  const [wasOpen, setWasOpen] = useState(false)
  // Counts how often it was opened: each time it begins anew, also while the last one is still fading.
  const [opening, setOpening] = useState(0)
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen)
    if (isOpen) setOpening(opening + 1)
  }

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return
      // The browser would lead to its own search.
      event.preventDefault()
      setOpen(true)
    }
    // Before fields and dialogs, which keep their keys to themselves.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return {
    open: () => setOpen(true),
    palette: opening > 0 && (
      <Suspense>
        <SearchPalette opening={opening} isOpen={isOpen} onOpenChange={setOpen} />
      </Suspense>
    ),
  }
}
