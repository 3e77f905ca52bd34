import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'

/** Contexts that wait for the next test; more are closed. */
const MAX_IDLE = 6

/** Contexts of one browser that tests use one after another. */
export type ContextPool = {
  /** Returns a context with these options, without pages, cookies and storage. */
  take(options: BrowserContextOptions): Promise<BrowserContext>
  /** Takes back a context that a test no longer needs, in any state. */
  giveBack(context: BrowserContext): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the pool of a worker. A page costs two thirds of the processor time in a context whose HTTP cache has the compiled
 * scripts, which is all that one test leaves to the next. A context serves tests that name the same options, and one for another
 * address than `url` a single test.
 */
export function createContextPool(browser: Browser, url: string): ContextPool {
  const keys = new WeakMap<BrowserContext, string>()
  const idle: BrowserContext[] = []

  return {
    take: async (options) => {
      const key = JSON.stringify(options)
      const at = idle.findLastIndex((context) => keys.get(context) === key)
      if (at >= 0) return idle.splice(at, 1)[0]!
      const context = await browser.newContext(options)
      if (options.baseURL === url) keys.set(context, key)
      return context
    },
    giveBack: async (context) => {
      if (!keys.has(context) || !(await reset(context, url).catch(() => false))) return context.close()
      idle.push(context)
      if (idle.length > MAX_IDLE) await idle.shift()!.close()
    },
    close: async () => {
      for (const context of idle) await context.close()
    },
  }
}

/** Removes what a test has left in the context; returns false, or rejects, where that is impossible. */
async function reset(context: BrowserContext, url: string): Promise<boolean> {
  const [page] = context.pages()
  // Playwright cannot remove a clock that it has replaced.
  if (!page || !(await hasOwnClock(page))) return false
  // Before the storage, into which a page could write.
  for (const each of context.pages()) await each.close()
  // A new one, since the scripts that a test adds to its pages run on every page that these open.
  const empty = await context.newPage()
  const devtools = await context.newCDPSession(empty)
  await devtools.send('Storage.clearDataForOrigin', {
    origin: url,
    storageTypes: 'local_storage,indexeddb,cache_storage,service_workers,file_systems',
  })
  await empty.close()
  await context.setOffline(false)
  await context.clearCookies()
  return true
}

const hasOwnClock = (page: Page): Promise<boolean> =>
  page.evaluate(() => setTimeout.toString().includes('[native code]'))
