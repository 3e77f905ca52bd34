/** At most one automatic reload in this time [9.4]. */
const MIN_RELOAD_INTERVAL_MS = 10_000
const RELOADED_AT_KEY = 'dosar-reloaded-at'

const chunkErrors = new WeakSet<object>()

/**
 * Collects the errors of application chunks that could not be loaded: a newer build has replaced them, or the
 * network broke. An error's text alone does not identify them, since it differs between browsers.
 */
export function collectChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => chunkErrors.add(payload))
}

/** Whether `collectChunkErrors` has collected this error or its direct cause. */
export const isChunkError = (error: unknown): boolean =>
  error instanceof Error &&
  (chunkErrors.has(error) || (error.cause instanceof Error && chunkErrors.has(error.cause)))

/**
 * Whether the page may reload itself now; a true result also records the reload. False within 10 s after the
 * last reload [9.4], and if session storage is not available, since the page could then reload endlessly.
 */
export function claimReload(): boolean {
  try {
    const now = Date.now()
    const reloadedAt = Number(sessionStorage.getItem(RELOADED_AT_KEY))
    if (Math.abs(now - reloadedAt) < MIN_RELOAD_INTERVAL_MS) return false
    sessionStorage.setItem(RELOADED_AT_KEY, String(now))
    return true
  } catch {
    return false
  }
}
