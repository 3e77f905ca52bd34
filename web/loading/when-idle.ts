/** A hidden page has few idle moments. */
const MAX_WAIT_MS = 5_000

let start = () => {}
const isStarted = new Promise<void>((resolve) => {
  start = resolve
})
/** What idle tasks wait for besides. */
let postponed: Promise<unknown> | null = null

/**
 * Called when the first screen of the application is shown. A page that is idle before that waits for what the screen needs,
 * and loads nothing else.
 */
export const startIdleTasks = (): void => start()

/**
 * Delays the tasks that have not begun until this is settled, at most by `MAX_WAIT_MS`: a screen that is shown may yet load
 * what the user has come for.
 */
export function postponeIdleTasks(until: Promise<unknown>): void {
  const wait = Promise.race([until, new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))])
    .catch(() => undefined)
    .then(() => {
      if (postponed === wait) postponed = null
    })
  postponed = wait
}

/** Delays the tasks as `postponeIdleTasks` does, until the returned function is called. */
export function holdIdleTasks(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  postponeIdleTasks(promise)
  return resolve
}

/** Runs a task as soon as the page shows a screen, waits for nothing and is idle. */
export function whenIdle(run: () => void): void {
  const runUnlessPostponed = () => {
    if (postponed) void postponed.then(() => request(runUnlessPostponed))
    else run()
  }
  void isStarted.then(() => request(runUnlessPostponed))
}

function request(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: MAX_WAIT_MS })
  // Safari has no idle callback.
  else setTimeout(run, 1_000)
}
