import { beforeNavigation } from './before-navigation.ts'

let isKnown = false
const listeners = new Set<() => void>()

/** Whether the server has another build than this page. */
export const isNewerBuildKnown = (): boolean => isKnown

export function subscribeNewerBuild(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * From here on the next screen is loaded as a page of its own, and with it the newer build [9.2]. Not for another search on
 * the same screen, without a network, or where something would be lost; then the navigation after it.
 */
export function announceNewerBuild(): void {
  let shownPath = window.location.pathname
  beforeNavigation.wait = async (path) => {
    const isElsewhere = path !== shownPath
    shownPath = path
    if (!isElsewhere || !navigator.onLine || isWorkUnsaved()) return
    // Only then has the router written the address down.
    setTimeout(() => window.location.reload())
    await new Promise(() => undefined)
  }
  isKnown = true
  for (const listener of listeners) listener()
}

/** Asks whoever the browser would ask before it leaves the page. */
const isWorkUnsaved = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
