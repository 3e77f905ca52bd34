import { type PointerEvent, type RefObject, useEffect, useState } from 'react'
import { findDropIndex } from './items.ts'

/** A dragged item: its index, and the index that it would get if it were dropped now. */
export interface ItemDrag {
  from: number
  to: number
}

/**
 * Drags the items of a list by a handle with mouse, pen or touch. Items move only when dropped; Escape
 * cancels. Buttons offer the same without dragging (WCAG 2.5.7).
 */
export function useItemDrag(list: RefObject<HTMLElement | null>, onDrop: (from: number, to: number) => void) {
  const [drag, setDrag] = useState<ItemDrag | null>(null)
  const isDragging = drag !== null

  useEffect(() => {
    if (!isDragging) return
    const controller = new AbortController()
    const stop = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // The surrounding dialog must not close.
      event.stopPropagation()
      setDrag(null)
    }
    document.addEventListener('keydown', stop, { capture: true, signal: controller.signal })
    return () => controller.abort()
  }, [isDragging])

  const findIndex = (event: PointerEvent, from: number) => {
    const items = [...(list.current?.children ?? [])]
    const middles = items.map((item) => {
      const { top, bottom } = item.getBoundingClientRect()
      return (top + bottom) / 2
    })
    return findDropIndex(middles, from, event.clientY)
  }

  return {
    drag,
    /** The props of the handle of the item at `index`; the handle needs `touch-action: none`. */
    handleProps: (index: number) => ({
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, to: index })
      },
      onPointerMove: (event: PointerEvent) => {
        if (!drag) return
        const to = findIndex(event, drag.from)
        if (to === drag.to) return
        setDrag({ from: drag.from, to })
        list.current?.children[to]?.scrollIntoView({ block: 'nearest' })
      },
      onPointerUp: (event: PointerEvent) => {
        if (!drag) return
        // The state may not contain the last pointer position yet.
        const to = findIndex(event, drag.from)
        if (to !== drag.from) onDrop(drag.from, to)
        setDrag(null)
      },
      onLostPointerCapture: () => setDrag(null),
    }),
  }
}
