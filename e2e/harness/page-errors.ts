import type { Page } from '@playwright/test'

/** How a browser reports a request that ends because its page was left. */
const ABANDONED = 'net::ERR_ABORTED'

/**
 * Adds to `seen` the errors that a page logs (as a violated content security policy does) or throws, and its
 * failed requests.
 */
export function watchPageErrors(page: Page, seen: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') seen.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => seen.push(`page: ${error.stack ?? error.message}`))
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText
    if (reason !== ABANDONED) seen.push(`request: ${request.method()} ${request.url()} ${reason}`)
  })
}
