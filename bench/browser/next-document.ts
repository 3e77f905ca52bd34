import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { CPU_SLOWDOWN, WINDOW } from './visit-page.ts'

/** One verdict, in ms since its key: until its response had arrived, and until the next document was on the screen. */
export interface NextDocument {
  response: number
  drawn: number
}

/** How long the page is left alone before each key, so that it can preload the next document. */
const IDLE_MS = 2_500
/** A next document that is not there by then will not come. */
const TIMEOUT_MS = 20_000

/**
 * Opens the page at `url` on a slow processor, presses A on it `count` times, and measures how long each next
 * document takes to appear. Throws if a document does not follow the key.
 */
export async function measureNextDocuments(
  browser: Browser,
  url: string,
  count: number,
  storageState?: BrowserContextOptions['storageState'],
): Promise<NextDocument[]> {
  const context = await browser.newContext({ viewport: WINDOW, ...(storageState && { storageState }) })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.goto(url)
  const measured: NextDocument[] = []
  while (measured.length < count) {
    await page.locator('[data-page="1"] canvas').waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(IDLE_MS)
    measured.push(await pressAccept(page))
  }
  await context.close()
  return measured
}

declare global {
  var nextDocument: Promise<NextDocument>
}

async function pressAccept(page: Page): Promise<NextDocument> {
  // Two calls: the key may arrive in the page before a call that is sent at the same time.
  await page.evaluate(watchNextDocument, TIMEOUT_MS)
  await page.keyboard.press('a')
  return page.evaluate(() => nextDocument)
}

/** Runs in the page. Waits for the next key, and then for a new first page of a document at another address. */
function watchNextDocument(timeout: number): void {
  const find = () => document.querySelector('[data-page="1"] canvas')
  const { pathname } = location
  const before = find()
  globalThis.nextDocument = new Promise((resolve, reject) => {
    addEventListener('keydown', ({ timeStamp }) => watch(timeStamp), { once: true, capture: true })
    const watch = (start: number) => {
      const look = () => {
        const canvas = find()
        if (performance.now() > start + timeout) {
          const dialog = document.querySelector('[role=dialog]')?.textContent
          reject(new Error(`no next document after ${pathname}, ${dialog ?? 'no dialog'}`))
        } else if (location.pathname === pathname || !canvas || canvas === before) requestAnimationFrame(look)
        else {
          // Its message is handled after the paint of this frame.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => finish(start, performance.now())
          port2.postMessage(null)
        }
      }
      requestAnimationFrame(look)
    }
    const finish = (start: number, drawnAt: number) => {
      const calls = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const verdict = calls.find(
        ({ initiatorType, startTime }) => initiatorType === 'fetch' && startTime >= start,
      )
      if (!verdict) return setTimeout(finish, 50, start, drawnAt)
      resolve({ drawn: drawnAt - start, response: verdict.responseEnd - start })
    }
  })
}
