import { type ReactNode, useEffect, useRef, useState } from 'react'
import { whenIdle } from '../../loading/when-idle.ts'
import { IconButton } from '../../ui/base/button.tsx'
import { Spinner } from '../../ui/base/loading.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { usePressedKeys } from './use-pressed-keys.ts'

type Palette = typeof import('./search-palette.tsx').SearchPalette

let loaded: Palette | null = null

/** A failure is not cached, since the next attempt may have a network. */
async function loadPalette(): Promise<Palette> {
  loaded ??= (await import('./search-palette.tsx')).SearchPalette
  return loaded
}

/**
 * Returns the site search, opened by `open` and by Ctrl K or ⌘ K anywhere, also in fields. `palette` must be
 * rendered in the page.
 */
export function useSearchPalette(): { open: () => void; palette: ReactNode } {
  const [Palette, setPalette] = useState(() => loaded)
  const [isOpen, setOpen] = useState(false)
  // Counts the openings: each opening starts with an empty search, also while the previous palette is fading
  // out.
  const [opening, setOpening] = useState(0)
  const isRequested = useRef(false)

  const close = () => {
    isRequested.current = false
    keys.release()
    setOpen(false)
  }
  const keys = usePressedKeys(close)
  const open = async () => {
    if (isRequested.current) return
    isRequested.current = true
    keys.capture()
    setOpen(true)
    setOpening((count) => count + 1)
    try {
      const Loaded = await loadPalette()
      setPalette(() => Loaded)
    } catch {
      if (!isRequested.current) return
      close()
      showToast({
        tone: 'error',
        title: 'Căutarea nu s-a deschis',
        description: 'Poate lipsi conexiunea la rețea. Dacă se repetă, pagina trebuie reîncărcată.',
        action: { label: 'Încearcă din nou', onAction: () => void open() },
      })
    }
  }

  const latest = useRef(open)
  latest.current = open
  useEffect(() => {
    whenIdle(() => void loadPalette().catch(() => undefined))
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event
      if (key.toLowerCase() !== 'k' || ctrlKey === metaKey || altKey || shiftKey) return
      // The browser would open its own search.
      event.preventDefault()
      void latest.current()
    }
    // In the capture phase, before fields and dialogs that stop key events.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])

  return {
    open: () => void open(),
    palette: Palette ? (
      <Palette opening={opening} isOpen={isOpen} onOpenChange={close} takeTypedText={keys.release} />
    ) : (
      isOpen && <Opening onClose={close} />
    ),
  }
}

/** Replaces the palette while it loads. */
const Opening = ({ onClose }: { onClose: () => void }) => (
  <div className="layer-modal fixed inset-0 flex items-start justify-center bg-scrim sm:px-6 sm:pt-[10vh]">
    <div className="flex w-full items-center gap-3 bg-raised py-2.5 pr-2 pl-4 shadow-modal sm:max-w-2xl sm:rounded-xl sm:border sm:border-line">
      <span className="flex text-muted">
        <Spinner label="Se deschide căutarea" />
      </span>
      <span role="status" className="min-w-0 flex-1 text-muted">
        Se deschide căutarea
      </span>
      <IconButton icon="close" label="Închide" onPress={onClose} />
    </div>
  </div>
)
