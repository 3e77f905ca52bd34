import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import type { TestClient } from '../../test/client.ts'
import { DEMO_PASSWORD } from './accounts.ts'
import { signInClient } from './client.ts'
import { type ContextPool, createContextPool } from './context-pool.ts'
import { watchPageErrors } from './page-errors.ts'
import { type Product, startProduct } from './product.ts'

type OpenOptions = BrowserContextOptions & {
  /** Another address of the product than the direct one, as that of a flaky proxy. */
  at?: string
}

type Fixtures = {
  /** Opens a browser without cookies and storage on an empty page, with this account signed in where one is given. */
  open(email: string | null, options?: OpenOptions): Promise<Page>
  /** Signs this account in without a browser. */
  client(email: string): Promise<TestClient>
  /** Names an error that this test causes itself; every other error fails the test. */
  expectError(error: RegExp): void
  faults: { seen: string[]; expected: RegExp[] }
}

/**
 * Each worker has one product with the demo organisation; tests create the rows that they change. A test fails when a page
 * logs an error (as a violated content security policy does), throws, or makes a request that fails; the run fails when the
 * server has logged an error.
 */
export const test = base.extend<Fixtures, { product: Product; contexts: ContextPool }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
      expect(product.faults(), 'what the server logged').toEqual([])
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  contexts: [
    async ({ browser, product }, use) => {
      const contexts = createContextPool(browser, product.url)
      await use(contexts)
      await contexts.close()
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  faults: async ({}, use) => {
    const faults: Fixtures['faults'] = { seen: [], expected: [] }
    await use(faults)
    const unexpected = faults.seen.filter((fault) => !faults.expected.some((pattern) => pattern.test(fault)))
    expect(unexpected, 'what went wrong in the pages').toEqual([])
  },

  expectError: ({ faults }, use) => use((fault) => void faults.expected.push(fault)),

  client: ({ product }, use) => use((email) => signInClient(product.url, email)),

  open: async ({ product, contexts, faults }, use) => {
    const watch = (page: Page) => watchPageErrors(page, faults.seen)
    const taken: BrowserContext[] = []
    await use(async (email, { at = product.url, ...options } = {}) => {
      const context = await contexts.take({ baseURL: at, ...options })
      taken.push(context)
      context.on('page', watch)
      if (email) {
        // A context that was used before may still have a connection that the server is about to close.
        const csrf = await context.request.get('/api/auth/csrf', { maxRetries: 1 })
        const { csrfToken } = await csrf.json()
        const form = { csrfToken, json: 'true', email, password: DEMO_PASSWORD }
        const response = await context.request.post('/api/auth/callback/local', { form })
        expect(await response.json()).toEqual({ url: expect.not.stringContaining('error') })
      }
      return context.newPage()
    })
    for (const context of taken) {
      context.off('page', watch)
      await contexts.giveBack(context)
    }
  },
})

export { type Download, expect, type Locator, type Page, type Route } from '@playwright/test'
