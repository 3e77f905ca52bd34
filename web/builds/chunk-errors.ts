/** Parts of the application that did not come: a newer build has replaced them, or the network broke. */

/** At most one automatic reload in this time [9.4]; milliseconds. */
const MIN_RELOAD_INTERVAL_MS = 10_000
const RELOADED_AT = 'dosar-reloaded-at'

const failed = new WeakSet<object>()

/** Remembers every part that does not come: the error alone, whose words differ between browsers, would not tell. */
export function collectChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => failed.add(payload))
}

/** Whether this is the error, or was caused by the error, of a part that did not come. */
export const isChunkError = (error: unknown): boolean =>
  error instanceof Error && (failed.has(error) || (error.cause instanceof Error && failed.has(error.cause)))

/**
 * Whether the page may load itself anew now; asking is taking. Not within 10 s after the last time [9.4], and never where
 * the browser keeps nothing for us: a page that cannot remember could go on for ever.
 */
export function claimReload(): boolean {
  try {
    const now = Date.now()
    const at = Number(sessionStorage.getItem(RELOADED_AT))
    if (Math.abs(now - at) < MIN_RELOAD_INTERVAL_MS) return false
    sessionStorage.setItem(RELOADED_AT, String(now))
    return true
  } catch {
    return false
  }
}
