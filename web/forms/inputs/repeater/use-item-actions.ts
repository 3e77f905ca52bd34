import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { focusFirst, focusItemButton } from './item-focus.ts'
import type { RepeaterProps } from './repeater-props.ts'

/**
 * Returns what the buttons of a repeater do. Each action moves the focus to the item that is concerned and
 * lets the user undo a removal; `announcement` is for screen readers.
 */
export function useItemActions(
  { items, itemLabel, onAdd, onRemove, onMove }: RepeaterProps,
  list: RefObject<HTMLElement | null>,
  addButton: RefObject<HTMLElement | null>,
) {
  const [announcement, setAnnouncement] = useState('')
  const focusOnceChanged = useFocusOnceChanged(items)
  const closeOnLeave = useCloseOnLeave()
  const itemAt = (index: number) => list.current?.children[index]
  const lastIndex = () => (list.current?.children.length ?? 0) - 1

  const add = () => {
    focusOnceChanged(() => focusFirst(itemAt(lastIndex())))
    onAdd()
  }
  const remove = (index: number) => {
    focusOnceChanged(() => {
      const next = itemAt(index) ?? itemAt(index - 1)
      if (next) focusItemButton(next, 'remove')
      else addButton.current?.focus()
    })
    const restore = onRemove(index)
    const undo = () => {
      focusOnceChanged(() => focusFirst(itemAt(Math.min(index, lastIndex()))))
      restore()
    }
    closeOnLeave(
      showToast({
        tone: 'info',
        title: `Am șters: ${itemLabel(index + 1)}`,
        action: { label: 'Anulează ștergerea', onAction: undo },
      }),
    )
  }
  const move = (from: number, to: number) => {
    setAnnouncement(`${itemLabel(from + 1)} s-a mutat pe locul ${to + 1} din ${items.length}.`)
    onMove(from, to)
  }
  /** Moves an item by its arrow button, which keeps the focus. */
  const step = (from: number, to: number) => {
    focusOnceChanged(() => {
      const item = itemAt(to)
      if (item) focusItemButton(item, to < from ? 'up' : 'down', to < from ? 'down' : 'up')
    })
    move(from, to)
  }
  return { add, remove, move, step, announcement }
}

/**
 * Returns a function that schedules a focus change for after the next change of the items, because the target
 * is not rendered before.
 */
function useFocusOnceChanged(items: readonly string[]) {
  const pendingFocus = useRef<(() => void) | null>(null)
  const order = items.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs on each change of the order
  useLayoutEffect(() => {
    pendingFocus.current?.()
    pendingFocus.current = null
  }, [order])
  return (focus: () => void) => {
    pendingFocus.current = focus
  }
}

/** Closes the toasts that offer to restore an item when the form is closed. */
function useCloseOnLeave() {
  const closers = useRef<(() => void)[]>([])
  useEffect(() => () => closers.current.forEach((close) => void close()), [])
  return (close: () => void) => void closers.current.push(close)
}
