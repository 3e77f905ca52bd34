import { onSessionMessage, refreshSession } from './session.ts'
import { getSite, subscribeSite } from './site.ts'
import { listenToTabs } from './tabs.ts'

/**
 * When the session is refreshed [4.4]. `period`: `true` means every 1000 ms, a number means that many
 * milliseconds.
 */
export type RefreshOptions = { onVisible: boolean; period: boolean | number }

type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>

/**
 * Refreshes when the page becomes visible and, while it is visible, periodically, as the options say. Returns
 * a function that stops both.
 */
export function startRefreshing(
  refresh: () => Promise<void>,
  { onVisible, period }: RefreshOptions,
  page: Page = document,
): () => void {
  const refreshVisible = () => {
    // A failure is ignored: that the server cannot be reached says nothing about the session.
    if (page.visibilityState === 'visible') refresh().catch(() => undefined)
  }
  if (onVisible) page.addEventListener('visibilitychange', refreshVisible)
  const timer = period ? setInterval(refreshVisible, period === true ? 1000 : period) : undefined
  return () => {
    page.removeEventListener('visibilitychange', refreshVisible)
    clearInterval(timer)
  }
}

/**
 * Hides a page that the browser keeps in its back/forward cache, since its user may have signed out before it
 * is shown again.
 */
function hideCachedPage({ persisted }: PageTransitionEvent): void {
  if (persisted) document.documentElement.hidden = true
}
function reloadCachedPage({ persisted }: PageTransitionEvent): void {
  if (persisted) location.reload()
}

/** Refreshes as the site's settings say, also after they have changed. Returns a function that stops this. */
function refreshBySettings(): () => void {
  const readOptions = (): RefreshOptions => {
    const { session_refresh_visible: onVisible, session_refresh_ms: period } = getSite()
    return { onVisible, period: period ?? false }
  }
  let options = readOptions()
  let stop = startRefreshing(refreshSession, options)
  const unsubscribe = subscribeSite(() => {
    const { onVisible, period } = options
    options = readOptions()
    // The other settings do not begin a new period.
    if (options.onVisible === onVisible && options.period === period) return
    stop()
    stop = startRefreshing(refreshSession, options)
  })
  return () => {
    unsubscribe()
    stop()
  }
}

/**
 * Keeps the session of this page in sync with the server and the other tabs. Returns a function that stops
 * this.
 */
export function keepSession(): () => void {
  const stops = [refreshBySettings(), listenToTabs(onSessionMessage)]
  window.addEventListener('pagehide', hideCachedPage)
  window.addEventListener('pageshow', reloadCachedPage)
  return () => {
    for (const stop of stops) stop()
    window.removeEventListener('pagehide', hideCachedPage)
    window.removeEventListener('pageshow', reloadCachedPage)
  }
}
