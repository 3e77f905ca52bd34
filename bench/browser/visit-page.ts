import type { Browser, BrowserContextOptions } from '@playwright/test'

/** The cost of one first visit. Times in ms since the navigation began. */
export interface Visit {
  fcp: number
  lcp: number
  /** Until an element of the screen's own content was in the page: a row, a figure, a field, a page of a document. */
  content: number
  /** The sum of the time of tasks after the first paint beyond 50 ms each. */
  tbt: number
  /** The number of tasks of more than 50 ms. */
  longTasks: number
  /**
   * Transferred bytes of JavaScript, without workers: requested until the screen was complete, and after
   * that.
   */
  js: number
  jsLater: number
  /** Requests until the screen was complete. */
  requests: number
}

export const CPU_SLOWDOWN = 4
/** A page without a long task for this time is idle. */
const QUIET_MS = 1500
export const WINDOW = { width: 1366, height: 768 }

declare global {
  var seen: { fcp: number; lcp: number; content: number; tasks: { start: number; ms: number }[] }
}

/** Runs in the page before its own scripts; looks for the content before each paint. */
function watchPaints(selector: string): void {
  globalThis.seen = { fcp: 0, lcp: 0, content: 0, tasks: [] }
  const look = () => {
    if (document.querySelector(selector)?.checkVisibility()) seen.content = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
  watch('paint', ({ name, startTime }) => {
    if (name === 'first-contentful-paint') seen.fcp = startTime
  })
  watch('largest-contentful-paint', ({ startTime }) => {
    seen.lcp = startTime
  })
  watch('longtask', ({ startTime, duration }) => {
    seen.tasks.push({ start: startTime, ms: duration })
  })
}

/**
 * Opens an address in a browser with an empty cache, on a slow processor, and waits until an element of
 * `selector` is visible and the page is idle.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  selector: string,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> {
  const context = await browser.newContext({ viewport: WINDOW, ...(storageState && { storageState }) })
  const page = await context.newPage()
  await page.addInitScript(watchPaints, selector)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(selector).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    (quiet) =>
      performance.now() - Math.max(seen.lcp, ...seen.tasks.map(({ start, ms }) => start + ms)) > quiet,
    QUIET_MS,
  )
  const { fcp, lcp, content, tasks } = await page.evaluate(() => seen)
  const files = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map(
      ({ name, startTime, encodedBodySize }) => ({ name, startTime, bytes: encodedBodySize }),
    ),
  )
  await context.close()
  const before = files.filter(({ startTime }) => startTime < content)
  const weighScripts = (some: typeof files) =>
    some.filter(({ name }) => /\.m?js$/.test(name)).reduce((sum, { bytes }) => sum + bytes, 0)
  const js = weighScripts(before)
  const after = tasks.filter(({ start }) => start > fcp)
  return {
    js,
    jsLater: weighScripts(files) - js,
    // The page itself is one request too.
    requests: before.length + 1,
    fcp,
    lcp,
    content,
    tbt: after.reduce((sum, { ms }) => sum + ms - 50, 0),
    longTasks: after.length,
  }
}
