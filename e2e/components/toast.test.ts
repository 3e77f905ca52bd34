import { expect, type Page, test } from '../harness/catalogue.ts'

const show = (page: Page) => page.getByRole('button', { name: 'Arată' })
const toasts = (page: Page) => page.getByRole('alertdialog')

test('toasts that close by themselves leave the focus where it is, also after one was closed by its action', async ({
  openStory,
}) => {
  const page = await openStory('ui/toast', { state: 'reușită de întors', locale: 'ro-RO' })
  await page.clock.install()
  for (let count = 1; count <= 2; count += 1) {
    await show(page).click()
    await expect(toasts(page)).toHaveCount(count)
  }
  await toasts(page).last().getByRole('button', { name: 'Anulează' }).click()
  await expect(toasts(page)).toHaveCount(1)
  await show(page).focus()
  // Two more by keyboard, which close one after the other.
  for (let count = 2; count <= 3; count += 1) {
    await page.clock.runFor(1_000)
    await page.keyboard.press('Enter')
    await expect(toasts(page)).toHaveCount(count)
  }
  await page.mouse.move(0, 0)
  for (let second = 0; second < 15; second += 1) {
    await page.clock.runFor(1_000)
    await expect(show(page)).toBeFocused()
  }
  await expect(toasts(page)).toHaveCount(0)
})

test('a toast that replaces another leaves the focus where it is, also after the one before was closed by its action', async ({
  openStory,
}) => {
  const page = await openStory('ui/toast', { state: 'numai ultima', locale: 'ro-RO' })
  await show(page).click()
  await toasts(page).getByRole('button', { name: 'Anulează' }).click()
  await expect(toasts(page)).toHaveCount(0)
  await show(page).focus()
  for (let count = 0; count < 3; count += 1) {
    await page.keyboard.press('Enter')
    await expect(toasts(page)).toHaveCount(1)
    await expect(show(page)).toBeFocused()
  }
})
