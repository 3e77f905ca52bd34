import { onSessionMessage, refreshSession } from './session.ts'
import { listenToTabs } from './tabs.ts'

/** When the session is read anew [4.4]. `period`: `true` is every 1000 ms, a number that many ms. */
export type RefreshOptions = { onVisible: boolean; period: boolean | number }

const DEFAULTS: RefreshOptions = { onVisible: true, period: false }

type Page = Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>

/** Refreshes when the page is seen again and, while it is seen, periodically, as the options say. Answers the end of it. */
export function startRefreshing(
  refresh: () => Promise<void>,
  { onVisible, period } = DEFAULTS,
  page: Page = document,
): () => void {
  const refreshVisible = () => {
    // The next time may find the server again; that it is away says nothing about the session.
    if (page.visibilityState === 'visible') refresh().catch(() => undefined)
  }
  if (onVisible) page.addEventListener('visibilitychange', refreshVisible)
  const timer = period ? setInterval(refreshVisible, period === true ? 1000 : period) : undefined
  return () => {
    page.removeEventListener('visibilitychange', refreshVisible)
    clearInterval(timer)
  }
}

/** A page that the browser has kept whole is not shown again as it was: whoever was signed in may have gone. */
function hideCachedPage({ persisted }: PageTransitionEvent): void {
  if (persisted) document.documentElement.hidden = true
}
function reloadCachedPage({ persisted }: PageTransitionEvent): void {
  if (persisted) location.reload()
}

/** Keeps the session of this page what the server and the other tabs say it is. Answers the end of it. */
export function keepSession(): () => void {
  const ends = [startRefreshing(refreshSession), listenToTabs(onSessionMessage)]
  window.addEventListener('pagehide', hideCachedPage)
  window.addEventListener('pageshow', reloadCachedPage)
  return () => {
    for (const end of ends) end()
    window.removeEventListener('pagehide', hideCachedPage)
    window.removeEventListener('pageshow', reloadCachedPage)
  }
}
