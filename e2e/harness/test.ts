import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { DEMO_PASSWORD } from './accounts.ts'
import { type Client, signInClient } from './client.ts'
import { watchPageErrors } from './page-errors.ts'
import { type Product, startProduct } from './product.ts'

type OpenOptions = BrowserContextOptions & {
  /** Another way to the product than the direct one, e.g. through a line that breaks. */
  at?: string
}

type Fixtures = {
  /** A browser of its own, with the person of this address signed in where one is given, on an empty page. */
  open(email: string | null, options?: OpenOptions): Promise<Page>
  /** The same person without a browser. */
  client(email: string): Promise<Client>
  /** Names a fault that this test brings about itself; every other one fails it. */
  expectFault(fault: RegExp): void
  faults: { seen: string[]; expected: RegExp[] }
}

/**
 * One product with the demo organisation a worker; tests make what they change. A test fails when a page logs an error
 * (which a violated content security policy does), throws, or asks for something that fails; and the run fails
 * when the server logged an error.
 */
export const test = base.extend<Fixtures, { product: Product }>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that nothing is needed
    async ({}, use) => {
      const product = await startProduct()
      await use(product)
      await product.stop()
      expect(product.faults(), 'what the server logged').toEqual([])
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  faults: async ({}, use) => {
    const faults: Fixtures['faults'] = { seen: [], expected: [] }
    await use(faults)
    const unexpected = faults.seen.filter((fault) => !faults.expected.some((pattern) => pattern.test(fault)))
    expect(unexpected, 'what went wrong in the pages').toEqual([])
  },

  expectFault: ({ faults }, use) => use((fault) => void faults.expected.push(fault)),

  client: ({ product }, use) => use((email) => signInClient(product.url, email)),

  open: async ({ browser, product, faults }, use) => {
    const contexts: { close(): Promise<void> }[] = []
    await use(async (email, { at = product.url, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: at, ...options })
      contexts.push(context)
      context.on('page', (page) => watchPageErrors(page, faults.seen))
      if (email) {
        const { csrfToken } = await (await context.request.get('/api/auth/csrf')).json()
        const form = { csrfToken, json: 'true', email, password: DEMO_PASSWORD }
        const response = await context.request.post('/api/auth/callback/local', { form })
        expect(await response.json()).toEqual({ url: expect.not.stringContaining('error') })
      }
      return context.newPage()
    })
    for (const context of contexts) await context.close()
  },
})

export { type Download, expect, type Locator, type Page } from '@playwright/test'
