import { useEffect, useRef } from 'react'
import type { SiteChange } from './use-site-changes.ts'

/** The lists that screens load again: the page's frame has the only subscription, and passes their changes on. */
type ListChange = Extract<SiteChange, 'ACCESS_REQUESTS' | 'QUESTIONS' | 'NEWS' | 'SHARES' | 'NOTIFICATIONS'>

const listeners = new Set<(change: ListChange) => void>()

/** Passes a change on to the mounted screens that show the list. */
export function passListChange(change: ListChange): void {
  for (const listener of listeners) listener(change)
}

/** Calls `reload` whenever the list has changed. */
export function useListChanges(list: ListChange, reload: () => void): void {
  const latest = useRef(reload)
  latest.current = reload
  useEffect(() => {
    const listener = (change: ListChange) => {
      if (change === list) latest.current()
    }
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, [list])
}
