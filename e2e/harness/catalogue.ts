import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import { Hono } from 'hono'
import { build } from 'vite'
import { securityHeaders } from '../../server/http/middleware/security-headers.ts'
import type { Env } from '../../server/http/types.ts'
import { watchPageErrors } from './page-errors.ts'

type StoryOptions = BrowserContextOptions & {
  /** One state of the component alone. */
  state?: string
}

type Fixtures = {
  /**
   * Opens a story of the catalogue in a new page: `openStory('forms/datepicker', { state: 'simplu' })`. With
   * options of the browser the page has a new context too; without, the context of the worker, which has
   * loaded the scripts already.
   */
  openStory(component: string, options?: StoryOptions): Promise<Page>
  /** Names an error that this test causes itself; every other error fails the test. */
  expectError(error: RegExp): void
  expectedErrors: RegExp[]
}

async function buildCatalogue(folder: string): Promise<void> {
  await build({ configFile: 'vite.catalogue.config.ts', logLevel: 'error', build: { outDir: folder } })
}

/** Closes the pages and deletes their storage, so that nothing reaches the next test. */
async function resetContext(context: BrowserContext): Promise<void> {
  await context.pages()[0]?.evaluate(() => localStorage.clear())
  for (const page of context.pages()) await page.close()
}

/**
 * Tests on the catalogue, built as the product is and under its content security policy. A test fails when a
 * page logs an error, throws, or requests something that fails or is not on this server.
 */
export const test = base.extend<Fixtures, { catalogueUrl: string; sharedContext: BrowserContext }>({
  catalogueUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from the pattern
    async ({}, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'dosar-catalogue-'))
      await buildCatalogue(folder)
      const url = { url: 'http://127.0.0.1' }
      const app = new Hono<Env>().use(securityHeaders(url)).use(serveStatic({ root: folder }))
      const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
      await once(server, 'listening')
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      server.close()
      await rm(folder, { recursive: true })
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  sharedContext: [
    async ({ browser, catalogueUrl }, use) => {
      const context = await browser.newContext({ baseURL: catalogueUrl })
      await use(context)
      await context.close()
    },
    { scope: 'worker' },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  expectedErrors: async ({}, use) => use([]),

  expectError: ({ expectedErrors }, use) => use((error) => void expectedErrors.push(error)),

  openStory: async ({ browser, catalogueUrl, sharedContext, expectedErrors }, use) => {
    const faults: string[] = []
    const contexts = new Set<BrowserContext>()
    const watch = (page: Page) => {
      watchPageErrors(page, faults)
      page.on('request', (request) => {
        if (/^https?:/.test(request.url()) && !request.url().startsWith(catalogueUrl))
          faults.push(`another host: ${request.url()}`)
      })
    }
    await use(async (component, { state, ...options } = {}) => {
      const isPlain = Object.keys(options).length === 0
      const context = isPlain
        ? sharedContext
        : await browser.newContext({ baseURL: catalogueUrl, ...options })
      if (!contexts.has(context)) context.on('page', watch)
      contexts.add(context)
      const page = await context.newPage()
      await page.goto(`/?${new URLSearchParams({ component, ...(state && { state }) })}`)
      await expect(page.getByRole('heading', { name: component, exact: true })).toBeVisible()
      return page
    })
    for (const context of contexts) {
      context.off('page', watch)
      if (context === sharedContext) await resetContext(context)
      else await context.close()
    }
    const unexpected = faults.filter((fault) => !expectedErrors.some((pattern) => pattern.test(fault)))
    expect(unexpected, 'what went wrong in the pages').toEqual([])
  },
})

export { expect, type Locator, type Page } from '@playwright/test'
