import { useEffect, useRef } from 'react'

type PressedKeys = {
  /** From here on no key reaches the page. */
  hold: () => void
  /** Frees the keys and answers what was written meanwhile. */
  release: () => string
}

/** Keeps the keys for a field that is on its way: until it is there they would mean something to the page. */
export function usePressedKeys(onEscape: () => void): PressedKeys {
  const latest = useRef(onEscape)
  latest.current = onEscape
  const keys = useRef<PressedKeys>(null)
  keys.current ??= trackPressedKeys(() => latest.current())
  const { hold, release } = keys.current
  useEffect(() => () => void release(), [release])
  return { hold, release }
}

function trackPressedKeys(onEscape: () => void): PressedKeys {
  let text = ''
  const onKeyDown = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const { key, ctrlKey, altKey, metaKey } = event
    if (key === 'Escape') onEscape()
    else if (key === 'Backspace') text = text.slice(0, -1)
    // Windows says of AltGr, which writes letters, that Ctrl and Alt are held.
    else if (key.length === 1 && ctrlKey === altKey && !metaKey) text += key
  }
  return {
    // At once, not with the next drawing: the first letter may come before it.
    hold: () => document.addEventListener('keydown', onKeyDown, { capture: true }),
    release: () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      const written = text
      text = ''
      return written
    },
  }
}
