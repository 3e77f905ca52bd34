import { createAuthenticator } from '../../test/second-factor.ts'
import { expect, type Page } from './test.ts'

/** Sets up the second factor that the account must have, on the page that asks for it after the password. */
export async function setUpSecondFactor(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: 'Al doilea factor' })).toBeVisible()
  const application = createAuthenticator((await page.locator('code').textContent())!)
  await page.getByLabel('Codul pe care îl arată aplicația').fill(application.nextCode())
  await page.getByRole('button', { name: 'Continuă', exact: true }).click()
  await page.getByRole('button', { name: 'Am păstrat codurile', exact: true }).click()
}
