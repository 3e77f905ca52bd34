import { expect, type Page } from '@playwright/test'
import type { Product } from './product.ts'

/** Returns the state of an upload as the database has it. */
export const stateOf = async ({ db }: Product, id: string) =>
  (await db.selectFrom('upload').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

/** Accepts the open upload by its key, which counts once the document has been shown for half a second. */
export async function acceptByKey(page: Page): Promise<void> {
  const toolbar = page.getByRole('toolbar', { name: 'Verdict' })
  await expect(toolbar.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
  await page.keyboard.press('a')
}
