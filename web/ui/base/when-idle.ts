/** Runs a task as soon as the page is idle. */
export function whenIdle(run: () => void): void {
  // Safari has no idle callback.
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run)
  else setTimeout(run, 1_000)
}
