import { expect, type Page } from '@playwright/test'

const GRAPHQL = '**/graphql'

/** Blocks the responses to this operation; the returned function releases them. */
export async function blockResponses(page: Page, operation: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(GRAPHQL, async (route) => {
    if (route.request().postDataJSON().operationName === operation) await released
    await route.continue()
  })
  return release
}

/** Responds to this operation with status 500; the returned function sends it to the server again. */
export async function failResponses(page: Page, operation: string): Promise<() => Promise<void>> {
  await page.route(GRAPHQL, (route) =>
    route.request().postDataJSON().operationName === operation
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  )
  return () => page.unroute(GRAPHQL)
}

/** Resolves when the page sends this operation. */
export const waitForOperation = (page: Page, operation: string) =>
  page.waitForRequest(
    (request) => request.url().endsWith('/graphql') && request.postDataJSON().operationName === operation,
  )

/** Resolves when the bell has its count: a page asks for the counts of its frame last, when it is idle. */
export const waitForCounts = (page: Page) =>
  expect(page.getByRole('button', { name: /noutate$|noutăți$/ })).toBeVisible()

/**
 * Stops the clock of a page on which `page.clock.install` was called. It stops 30 s ahead, since the clock runs
 * on until then and cannot go back.
 */
export const pauseClock = async (page: Page) =>
  page.clock.pauseAt(await page.evaluate(() => Date.now() + 30_000))
