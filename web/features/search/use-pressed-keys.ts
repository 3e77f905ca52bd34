import { useEffect, useRef } from 'react'

type PressedKeys = {
  /** Captures all keys from now on; the page does not receive them. */
  capture: () => void
  /** Stops capturing and returns the captured text. */
  release: () => string
}

/**
 * Captures keys for a field that is not loaded yet, since the page would use them as shortcuts until then.
 */
export function usePressedKeys(onEscape: () => void): PressedKeys {
  const latest = useRef(onEscape)
  latest.current = onEscape
  const keys = useRef<PressedKeys>(null)
  keys.current ??= trackPressedKeys(() => latest.current())
  const { capture, release } = keys.current
  useEffect(() => () => void release(), [release])
  return { capture, release }
}

function trackPressedKeys(onEscape: () => void): PressedKeys {
  let text = ''
  const onKeyDown = (event: KeyboardEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const { key, ctrlKey, altKey, metaKey } = event
    if (key === 'Escape') onEscape()
    else if (key === 'Backspace') text = text.slice(0, -1)
    // On Windows AltGr, which writes letters, is reported as Ctrl and Alt together.
    else if (key.length === 1 && ctrlKey === altKey && !metaKey) text += key
  }
  return {
    // At once, not at the next render: the first letter may arrive before that.
    capture: () => document.addEventListener('keydown', onKeyDown, { capture: true }),
    release: () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      const typed = text
      text = ''
      return typed
    },
  }
}
