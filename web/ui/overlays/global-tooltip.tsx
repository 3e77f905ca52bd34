import { type ReactNode, useEffect, useState } from 'react'
import { closestAnchor } from './tooltip-anchor.ts'

/**
 * The single tooltip of the application, on every page [2.18]: any element has one through `data-tooltip="text"` or
 * `data-tooltip-html="a <b>little</b> HTML"`. It is loaded when the mouse or the focus first enters such an
 * element, so that no page loads more at the start; if that fails, the next time tries again.
 */
export function GlobalTooltip() {
  const [host, setHost] = useState<ReactNode>(null)
  useEffect(() => {
    const loaded = new AbortController()
    const load = (event: Event) => {
      if (!closestAnchor(event.target)) return
      import('./tooltip.tsx').then(
        ({ TooltipHost }) => {
          loaded.abort()
          setHost(<TooltipHost firstEvent={event} />)
        },
        () => undefined,
      )
    }
    for (const name of ['pointerover', 'focusin'])
      document.addEventListener(name, load, { signal: loaded.signal, capture: true })
    return () => loaded.abort()
  }, [])
  return host
}
