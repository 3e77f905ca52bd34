/** A hidden page has few idle moments. */
const MAX_WAIT_MS = 5_000

let start = () => {}
const isStarted = new Promise<void>((resolve) => {
  start = resolve
})

/**
 * Called when the first screen of the application is shown. A page that is idle before that waits for what the screen needs,
 * and loads nothing else.
 */
export const startIdleTasks = (): void => start()

/** Runs a task as soon as the page shows a screen and is idle. */
export function whenIdle(run: () => void): void {
  void isStarted.then(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: MAX_WAIT_MS })
    // Safari has no idle callback.
    else setTimeout(run, 1_000)
  })
}
