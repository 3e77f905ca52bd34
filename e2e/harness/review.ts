import { expect, type Page } from '@playwright/test'

/** Accepts the open upload by its key, which counts once the document has been shown for half a second. */
export async function acceptByKey(page: Page): Promise<void> {
  const toolbar = page.getByRole('toolbar', { name: 'Verdict' })
  await expect(toolbar.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
  await page.keyboard.press('a')
}
