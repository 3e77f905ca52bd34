import { expect, type Page, test } from '../harness/catalogue.ts'
import { expectMode, storedPreference } from '../harness/colour-mode.ts'

const forced = (mode: 'light' | 'dark') => `/?component=ui/colour-mode&mode=${mode}`
const radio = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Aspect' }).first().getByRole('radio', { name })
const goOn = (page: Page) =>
  page.getByRole('navigation', { name: 'Piese' }).getByRole('link', { name: 'Tastă' }).click()

/** Returns the state that the component shows. */
const readState = async (page: Page) =>
  JSON.parse((await page.getByRole('region', { name: 'starea' }).getByRole('status').textContent()) ?? '')

test('the state has the preference, the mode shown, whether it is known, and whether a page forces it [3.3]', async ({
  openStory,
}) => {
  const page = await openStory('ui/colour-mode', { colorScheme: 'dark' })
  const known = { unknown: false, forced: false }
  expect(await readState(page)).toEqual({ preference: 'system', value: 'dark', ...known })
  await radio(page, 'Luminos').check()
  expect(await readState(page)).toEqual({ preference: 'light', value: 'light', ...known })
  await page.goto(forced('dark'))
  expect(await readState(page)).toEqual({ preference: 'light', value: 'dark', unknown: false, forced: true })
})

test('a page forces a mode over the preference until the next navigation, without changing the preference [1.4] [4.6]', async ({
  openStory,
}) => {
  const page = await openStory('ui/colour-mode', { colorScheme: 'light' })
  await radio(page, 'Întunecat').check()
  await page.goto(forced('light'))
  await expect(radio(page, 'Întunecat')).toBeChecked()
  await expectMode(page, 'light')
  expect(await storedPreference(page)).toBe('dark')

  await goOn(page)
  await expect(page.getByRole('heading', { name: 'ui/kbd' })).toBeVisible()
  await expectMode(page, 'dark')
  expect(await storedPreference(page)).toBe('dark')

  // The page forces the mode again after a return to it.
  await page.goBack()
  await expectMode(page, 'light')
  await page.goForward()
  await expectMode(page, 'dark')
})

test('a mode chosen while a page forces another applies at the next navigation [4.6]', async ({
  openStory,
}) => {
  const page = await openStory('ui/colour-mode', { colorScheme: 'dark' })
  await page.goto(forced('dark'))
  await radio(page, 'Luminos').check()
  expect((await readState(page)).preference).toBe('light')
  await expectMode(page, 'dark')
  expect(await storedPreference(page)).toBe('light')
  await goOn(page)
  await expectMode(page, 'light')
})

test('a change of the operating system’s mode has no effect while a page forces a mode [4.6]', async ({
  openStory,
}) => {
  const page = await openStory('ui/colour-mode', { colorScheme: 'light' })
  await page.goto(forced('light'))
  expect((await readState(page)).preference).toBe('system')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  await expectMode(page, 'light')
  expect(await storedPreference(page)).toBeNull()
  await goOn(page)
  await expectMode(page, 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expectMode(page, 'light')
})

test('other tabs ignore the mode that a page forces, and the page ignores a mode chosen in another tab [4.6]', async ({
  openStory,
}) => {
  const page = await openStory('ui/colour-mode', { colorScheme: 'light' })
  const other = await page.context().newPage()
  await other.goto('/?component=ui/colour-mode')
  await page.goto(forced('dark'))
  await expectMode(page, 'dark')
  await expectMode(other, 'light')

  await radio(other, 'Luminos').check()
  await expect.poll(async () => (await readState(page)).preference).toBe('light')
  await expectMode(page, 'dark')
  await goOn(page)
  await expectMode(page, 'light')
})
