import { type PointerEvent, type RefObject, useEffect, useState } from 'react'
import { findDropPlace } from './items.ts'

/** An item on its way: where it stands, and where it would stand if it were let go now. */
export interface ItemDrag {
  from: number
  to: number
}

/**
 * Drags the items of a list by a handle, with mouse, pen or finger. Nothing moves before the item is let go; Escape lets
 * it stay. For whoever cannot drag there are buttons (WCAG 2.5.7).
 */
export function useItemDrag(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<ItemDrag | null>(null)
  const isDragging = drag !== null

  useEffect(() => {
    if (!isDragging) return
    const stopped = new AbortController()
    const stop = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // The dialog around the form stays open.
      event.stopPropagation()
      setDrag(null)
    }
    document.addEventListener('keydown', stop, { capture: true, signal: stopped.signal })
    return () => stopped.abort()
  }, [isDragging])

  const findPlace = (event: PointerEvent, from: number) => {
    const items = [...(list.current?.children ?? [])]
    const middles = items.map((item) => {
      const { top, bottom } = item.getBoundingClientRect()
      return (top + bottom) / 2
    })
    return findDropPlace(middles, from, event.clientY)
  }

  return {
    drag,
    /** For the handle of the item at `place`; it needs `touch-action: none`. */
    handleProps: (place: number) => ({
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: place, to: place })
      },
      onPointerMove: (event: PointerEvent) => {
        if (!drag) return
        const to = findPlace(event, drag.from)
        if (to === drag.to) return
        setDrag({ from: drag.from, to })
        list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
      },
      onPointerUp: (event: PointerEvent) => {
        if (!drag) return
        // The last move may not be in the state yet.
        const to = findPlace(event, drag.from)
        if (to !== drag.from) onDrop(drag.from, to)
        setDrag(null)
      },
      onLostPointerCapture: () => setDrag(null),
    }),
  }
}
