import { type RefObject, useLayoutEffect, useRef } from 'react'

const linkOf = (list: Element | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-result="${id}"] .row-link`) ?? null

/**
 * The row on which the keys act: the one that has the focus, or had it last. When it leaves the list, the row in its place
 * gets the focus.
 */
export function useRowCursor(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const last = useRef<{ id: string; place: number } | null>(null)
  const focus = (id: string | undefined) => {
    const link = id === undefined ? null : linkOf(list.current, id)
    link?.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }
  useLayoutEffect(() => {
    const cursor = last.current
    if (!cursor || ids.includes(cursor.id) || document.activeElement !== document.body) return
    focus(ids[Math.min(cursor.place, ids.length - 1)])
  })
  const current = (): string | null =>
    document.activeElement?.closest('[data-result]')?.getAttribute('data-result') ?? null
  return {
    focus,
    onFocus: (target: Element) => {
      const id = target.closest('[data-result]')?.getAttribute('data-result')
      if (id) last.current = { id, place: ids.indexOf(id) }
    },
    /** The id of the row that has the focus; null: the focus is elsewhere. */
    current,
    /** Moves to the next or previous row; to the last used or the first one if no row has the focus. */
    step: (by: 1 | -1) => {
      const place = ids.indexOf(current() ?? '')
      if (place < 0) return focus(ids.find((id) => id === last.current?.id) ?? ids[0])
      focus(ids[Math.min(ids.length - 1, Math.max(0, place + by))])
    },
  }
}
