import type { Page } from '@playwright/test'

const GRAPHQL = '**/graphql'

/** Holds back the answers to this operation; call what it returns to let them through. */
export async function holdAnswers(page: Page, operation: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(GRAPHQL, async (route) => {
    if (route.request().postDataJSON().operationName === operation) await released
    await route.continue()
  })
  return release
}

/** Answers this operation with status 500; call what it returns to let it reach the server again. */
export async function refuseAnswers(page: Page, operation: string): Promise<() => Promise<void>> {
  await page.route(GRAPHQL, (route) =>
    route.request().postDataJSON().operationName === operation
      ? route.fulfill({ status: 500, json: {} })
      : route.continue(),
  )
  return () => page.unroute(GRAPHQL)
}

/** Resolves when the page asks for this operation. */
export const waitForOperation = (page: Page, operation: string) =>
  page.waitForRequest(
    (request) => request.url().endsWith('/graphql') && request.postDataJSON().operationName === operation,
  )
