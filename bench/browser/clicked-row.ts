import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { CPU_SLOWDOWN, WINDOW } from './visit-page.ts'

/** How long a list is left alone before the click, so that it loads the script of the next screen, as on a real page. */
const IDLE_MS = 2_500
/** A screen that is not there by then will not come. */
const TIMEOUT_MS = 20_000

declare global {
  var clickedRow: Promise<number>
}

/**
 * Opens a list `count` times on a slow processor and clicks on its first row. Returns how many ms each click took until the
 * heading of the next screen was painted.
 */
export async function measureClickedRows(
  browser: Browser,
  url: string,
  count: number,
  storageState: BrowserContextOptions['storageState'],
): Promise<number[]> {
  const context = await browser.newContext({ viewport: WINDOW, ...(storageState && { storageState }) })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const measured: number[] = []
  while (measured.length < count) {
    await page.goto(url)
    measured.push(await clickFirstRow(page))
  }
  await context.close()
  return measured
}

async function clickFirstRow(page: Page): Promise<number> {
  const row = page.locator('.row-link').first()
  await row.hover()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(IDLE_MS)
  await page.evaluate(watchNextHeading, TIMEOUT_MS)
  await row.click()
  return page.evaluate(() => clickedRow)
}

/** Runs in the page. Waits for the next click, and then for another heading at another address. */
function watchNextHeading(timeout: number): void {
  const find = () => document.querySelector('main h1')?.textContent
  const { pathname } = location
  const before = find()
  globalThis.clickedRow = new Promise((resolve, reject) => {
    addEventListener('click', ({ timeStamp }) => watch(timeStamp), { once: true, capture: true })
    const watch = (start: number) => {
      const look = () => {
        const heading = find()
        if (performance.now() > start + timeout) reject(new Error(`no next screen after ${pathname}`))
        else if (location.pathname === pathname || !heading || heading === before) requestAnimationFrame(look)
        else {
          // Its message is handled after the paint of this frame.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now() - start)
          port2.postMessage(null)
        }
      }
      requestAnimationFrame(look)
    }
  })
}
