import { type ReactNode, useEffect, useState } from 'react'
import { closestAnchor, hasVisibleFocus } from './tooltip-anchor.ts'

/**
 * The single tooltip of the application, on every page [2.18]: any element has one through `data-tooltip="text"` or
 * `data-tooltip-html="a <b>little</b> HTML"`. It is loaded when the mouse or the keyboard focus first enters such an
 * element, so that no page loads more at the start.
 */
export function GlobalTooltip() {
  const [host, setHost] = useState<ReactNode>(null)
  useEffect(() => {
    const loaded = new AbortController()
    let isDismissed = false
    const enter = (event: Event) => {
      const anchor = closestAnchor(event.target)
      if (!anchor) return
      if (event instanceof PointerEvent ? event.pointerType === 'touch' : !hasVisibleFocus(anchor)) return
      isDismissed = false
      import('./tooltip.tsx').then(
        ({ TooltipHost }) => {
          if (loaded.signal.aborted) return
          loaded.abort()
          setHost(<TooltipHost isDismissed={isDismissed} />)
        },
        // Elements are usable without their tooltips.
        () => undefined,
      )
    }
    const dismiss = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === 'Escape') isDismissed = true
    }
    const listen = (name: string, act: (event: Event) => void) =>
      document.addEventListener(name, act, { signal: loaded.signal, capture: true })
    listen('pointerover', enter)
    listen('focusin', enter)
    listen('pointerdown', dismiss)
    listen('keydown', dismiss)
    return () => loaded.abort()
  }, [])
  return host
}
