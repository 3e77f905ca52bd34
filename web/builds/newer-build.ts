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
 * From now on the next screen is loaded as a new page, with the newer build [9.2]. Changes of the search
 * parameters do not reload, nor does a navigation without a network or with unsaved work: then the next
 * navigation does.
 */
export function announceNewerBuild(): void {
  let shownPath = window.location.pathname
  beforeNavigation.wait = async (path) => {
    const isElsewhere = path !== shownPath
    shownPath = path
    if (!isElsewhere || !navigator.onLine || isWorkUnsaved()) return
    // Deferred because the router writes the address only after this function has returned.
    setTimeout(() => window.location.reload())
    await new Promise(() => undefined)
  }
  isKnown = true
  for (const listener of listeners) listener()
}

/** Whether a listener would ask for confirmation before the page is left. */
const isWorkUnsaved = (): boolean => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
