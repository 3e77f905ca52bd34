import { type RefObject, useLayoutEffect, useRef } from 'react'

const linkOf = (list: Element | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-result="${id}"] .row-link`) ?? null

/** A row that leaves later after it was marked has left for another reason. */
const FOLLOW_MS = 5_000

/**
 * The row on which the keys act: the one that has the focus. When it leaves the list because the user has marked it, the row in
 * its place gets the focus; if it leaves for another reason, none does, so that the next key marks no row that nobody has chosen.
 */
export function useRowCursor(list: RefObject<HTMLElement | null>, ids: readonly string[]) {
  const last = useRef<{ id: string; place: number } | null>(null)
  const followUntil = useRef(0)
  const focus = (id: string | undefined) => {
    const link = id === undefined ? null : linkOf(list.current, id)
    link?.focus()
    link?.scrollIntoView({ block: 'nearest' })
  }
  useLayoutEffect(() => {
    const cursor = last.current
    if (!cursor) return
    const place = ids.indexOf(cursor.id)
    if (place >= 0) cursor.place = place
    else if (document.activeElement === document.body && Date.now() < followUntil.current)
      focus(ids[Math.min(cursor.place, ids.length - 1)])
  })
  const current = (): string | null =>
    document.activeElement?.closest('[data-result]')?.getAttribute('data-result') ?? null
  return {
    focus,
    /** Called when the user marks rows: they may leave the list. */
    follow: () => {
      followUntil.current = Date.now() + FOLLOW_MS
    },
    onFocus: (target: Element) => {
      const id = target.closest('[data-result]')?.getAttribute('data-result')
      if (id) last.current = { id, place: ids.indexOf(id) }
    },
    /** The id of the row that has the focus; null: the focus is elsewhere. */
    current,
    /** Moves to the next or previous row; to the last used one, or the one in its place, if no row has the focus. */
    step: (by: 1 | -1) => {
      const place = ids.indexOf(current() ?? '')
      if (place < 0) return focus(ids[Math.min(last.current?.place ?? 0, ids.length - 1)])
      focus(ids[Math.min(ids.length - 1, Math.max(0, place + by))])
    },
  }
}
