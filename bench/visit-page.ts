import type { Browser, BrowserContextOptions } from '@playwright/test'

/** What one first visit cost. Times in ms since the navigation began. */
export interface Visit {
  fcp: number
  lcp: number
  /** What tasks after the first paint took beyond 50 ms each, summed up. */
  tbt: number
  /** How many they were. */
  longTasks: number
  /** Bytes of JavaScript as they came over the line, asked for until the screen stood; and those asked for later. */
  js: number
  jsLater: number
  /** Requests until the screen stood. */
  requests: number
}

const CPU_SLOWDOWN = 4
/** A page without a long task for as long as this has nothing left to do. */
const QUIET_MS = 1500
const WINDOW = { width: 1366, height: 768 }

declare global {
  var seen: { fcp: number; lcp: number; tasks: { start: number; ms: number }[] }
}

/** Runs in the page before anything of its own. */
function watchPaints(): void {
  globalThis.seen = { fcp: 0, lcp: 0, tasks: [] }
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
 * Opens an address in a browser that has kept nothing, on a slow processor, and waits until `standing`, a selector, shows
 * and nothing happens any more.
 */
export async function visitPage(
  browser: Browser,
  url: string,
  standing: string,
  storageState?: BrowserContextOptions['storageState'],
): Promise<Visit> {
  const context = await browser.newContext({ viewport: WINDOW, ...(storageState && { storageState }) })
  const page = await context.newPage()
  await page.addInitScript(watchPaints)
  let isStanding = false
  const visit = { js: 0, jsLater: 0, requests: 0 }
  const sizes: Promise<void>[] = []
  page.on('request', (request) => {
    const field = isStanding ? 'jsLater' : 'js'
    if (!isStanding) visit.requests++
    if (!/\.m?js$/.test(new URL(request.url()).pathname)) return
    const add = async () => {
      await (await request.response())?.finished()
      visit[field] += (await request.sizes()).responseBodySize
    }
    sizes.push(add().catch(() => undefined))
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(standing).first().waitFor()
  isStanding = true
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(
    (quiet) =>
      performance.now() - Math.max(seen.lcp, ...seen.tasks.map(({ start, ms }) => start + ms)) > quiet,
    QUIET_MS,
  )
  const { fcp, lcp, tasks } = await page.evaluate(() => seen)
  await Promise.all(sizes)
  await context.close()
  const after = tasks.filter(({ start, ms }) => start + ms > fcp && start > fcp)
  return {
    ...visit,
    fcp,
    lcp,
    tbt: after.reduce((sum, { ms }) => sum + ms - 50, 0),
    longTasks: after.length,
  }
}
