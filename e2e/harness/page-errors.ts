import type { Page } from '@playwright/test'

/** What a browser does when a page is left while it still asks for something. */
const ABANDONED = 'net::ERR_ABORTED'

/** Notes in `seen` what a page logs as an error (which a violated content security policy does), throws, or asks in vain. */
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
