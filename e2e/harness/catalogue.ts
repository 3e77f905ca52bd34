import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { Hono } from 'hono'
import { build } from 'vite'
import { securityHeaders } from '../../server/http/security-headers.ts'
import type { Env } from '../../server/http/types.ts'
import { watchFaults } from './faults.ts'

type StoryOptions = BrowserContextOptions & {
  /** One state of the piece alone. */
  state?: string
}

type Fixtures = {
  /** A story of the catalogue in a browser of its own: `openStory('forms/datepicker', { state: 'simplu' })`. */
  openStory(piece: string, options?: StoryOptions): Promise<Page>
}

async function buildCatalogue(folder: string): Promise<void> {
  await build({ configFile: 'vite.catalogue.config.ts', logLevel: 'error', build: { outDir: folder } })
}

/**
 * The catalogue, built as the product is and under its content security policy. A test fails when a page logs an error,
 * throws, or asks for something that fails or that is not on this server.
 */
export const test = base.extend<Fixtures, { catalogueUrl: string }>({
  catalogueUrl: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern that nothing is needed
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

  openStory: async ({ browser, catalogueUrl }, use) => {
    const faults: string[] = []
    const contexts: { close(): Promise<void> }[] = []
    await use(async (piece, { state, ...options } = {}) => {
      const context = await browser.newContext({ baseURL: catalogueUrl, ...options })
      contexts.push(context)
      context.on('page', (page) => {
        watchFaults(page, faults)
        page.on('request', (request) => {
          if (/^https?:/.test(request.url()) && !request.url().startsWith(catalogueUrl))
            faults.push(`another host: ${request.url()}`)
        })
      })
      const page = await context.newPage()
      await page.goto(`/?${new URLSearchParams({ piece, ...(state && { state }) })}`)
      await expect(page.getByRole('heading', { name: piece, exact: true })).toBeVisible()
      return page
    })
    for (const context of contexts) await context.close()
    expect(faults, 'what went wrong in the pages').toEqual([])
  },
})

export { expect, type Locator, type Page } from '@playwright/test'
