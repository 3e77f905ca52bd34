import { gzipSync } from 'node:zlib'
import { REVIEWER } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** Bytes of JavaScript (gzip) that the sign-in page may load; `.size-limit.js` has the same budget. */
const SIGN_IN_BUDGET = 110 * 1024

/** Collects the paths of a page's requests from now on, in order. */
function recordRequests(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => void requested.push(new URL(request.url()).pathname))
  return requested
}

const isScript = (path: string) => /\.m?js$/.test(path)

test('the sign-in page loads no more JavaScript than its budget, all before its first request of data', async ({
  open,
  product,
}) => {
  const page = await open(null)
  const requested = recordRequests(page)
  await page.goto('/')
  await expect(page.getByLabel('Parolă', { exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const scripts = new Set(requested.filter(isScript))
  expect(requested.findLastIndex(isScript)).toBeLessThan(requested.indexOf('/api/auth/session'))
  const sizes = [...scripts].map(async (path) => {
    const code = await (await fetch(product.url + path)).arrayBuffer()
    return gzipSync(new Uint8Array(code)).length
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  // React alone is more than half of the budget: fewer bytes would mean that the count is wrong.
  expect(bytes).toBeGreaterThan(SIGN_IN_BUDGET / 2)
  expect(bytes).toBeLessThanOrEqual(SIGN_IN_BUDGET)
})

test('a screen behind the sign-in requests its scripts with the page, each once', async ({ open }) => {
  const page = await open(REVIEWER)
  const requested = recordRequests(page)
  await page.goto('/patients')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  const screen = requested.findIndex((path) => /patients-screen-/.test(path))
  expect(screen).toBeGreaterThan(0)
  expect(screen).toBeLessThan(requested.indexOf('/api/auth/session'))
  const scripts = requested.filter(isScript)
  expect(scripts.filter((path, place) => scripts.indexOf(path) !== place)).toEqual([])
})
