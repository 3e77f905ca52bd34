import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

/** Returns the box of an element, in px. */
const boxOf = async (target: Locator) => (await target.boundingBox())!

const FAILED_SEARCH = /assets\/search-/

/** Opens the screen and fails to load its search, of which a toast says so until it is closed. */
async function showToast(page: Page, path: string): Promise<Locator> {
  await page.route('**/assets/search-*.js', (route) => route.abort())
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  return page.getByRole('alertdialog')
}

for (const width of [360, 1440]) {
  test(`a toast’s action leaves enough room for its text: ${width} px`, async ({ open, expectError }) => {
    expectError(FAILED_SEARCH)
    const page = await open(REGISTRAR, { viewport: { width, height: 740 }, reducedMotion: 'reduce' })
    const toast = await showToast(page, '/institutions')
    const text = await boxOf(toast.getByText('Poate lipsi conexiunea la rețea.'))
    const action = await boxOf(toast.getByRole('button', { name: 'Încearcă din nou' }))
    expect(text.width).toBeGreaterThan(180)
    expect(action.y).toBeGreaterThanOrEqual(text.y + text.height)
    await expectAccessible(page)
  })
}

for (const width of [360, 1440]) {
  test(`a toast leaves the buttons of a sheet free: ${width} px`, async ({ open, expectError }) => {
    expectError(FAILED_SEARCH)
    const page = await open(REGISTRAR, { viewport: { width, height: 740 }, reducedMotion: 'reduce' })
    const toast = await showToast(page, '/patients')
    await expect(toast).toBeVisible()
    await page.getByRole('button', { name: 'Adaugă pacient' }).click()
    const sheet = page.getByRole('dialog', { name: 'Pacient nou' })
    const buttons = sheet.locator('.dialog-actions').getByRole('button')
    await expect(buttons).toHaveCount(2)
    // A click of which nothing else takes the pointer.
    for (const button of await buttons.all()) await button.click({ trial: true })
    await expect(toast).toBeInViewport({ ratio: 1 })
    await toast.getByRole('button', { name: 'Închide' }).click()
    await expect(toast).toBeHidden()
    await expect(sheet).toBeVisible()
  })
}

for (const width of [360, 1280]) {
  test(`a toast leaves the buttons for chosen results free: ${width} px`, async ({ open }) => {
    const page = await open(INSTITUTION, { viewport: { width, height: 500 }, reducedMotion: 'reduce' })
    await page.goto('/institution')
    await page.locator('[data-result] label').first().click()
    const bar = page.getByRole('region', { name: 'Rezultatele alese' })
    await bar.getByRole('button', { name: 'Marchează rezolvate' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    const parts = [...(await bar.getByRole('button').all()), ...(await bar.getByRole('link').all())]
    expect(parts.length).toBeGreaterThan(4)
    for (const part of parts) await part.click({ trial: true })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Anulează' }).click()
    await expect(page.getByText('redeschis')).toBeVisible()
  })
}

test('a toast leaves the navigation of a phone free', async ({ open, expectError }) => {
  expectError(FAILED_SEARCH)
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 }, reducedMotion: 'reduce' })
  await expect(await showToast(page, '/patients')).toBeVisible()
  const items = page
    .getByRole('navigation', { name: 'Principală' })
    .getByRole('link')
    .filter({ visible: true })
  expect(await items.count()).toBeGreaterThan(1)
  for (const item of await items.all()) await item.click({ trial: true })
})
