import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

/** The icons of requirement 3.7, by their names in the interface. */
const REQUIRED = [
  'Stetoscop',
  'Calendar',
  'Dosare',
  'Persoane',
  'Spital',
  'Îngrijire',
  'Documente',
  'PDF',
  'ZIP',
  'Încărcare',
  'Descărcare',
  'Lacăt',
  'Filtru',
  'Soare',
  'Lună',
  'Fulg de zăpadă',
  'Frunză',
  'Floare',
  'Plajă',
  'Plic',
  'Avion de hârtie',
  'Cronometru',
  'Bifă',
  'Avertizare',
]

const button = (page: Page) => page.getByRole('button', { name: /^Pictogramă/ })
const search = (page: Page) => page.getByRole('searchbox', { name: 'Caută o pictogramă' })
const grid = (page: Page) => page.getByRole('listbox', { name: 'Pictograme' })
const value = (page: Page) => page.getByTestId('values')

async function openGrid(page: Page): Promise<void> {
  await button(page).click()
  await expect(search(page)).toBeFocused()
}

test('every icon of the list is offered, drawn, and named in Romanian [3.7]', async ({ openStory }) => {
  const page = await openStory('forms/iconpicker', { state: 'gol' })
  await openGrid(page)
  for (const name of REQUIRED)
    await expect(grid(page).getByRole('option', { name, exact: true }).locator('svg')).toBeVisible()
  const names = await grid(page)
    .getByRole('option')
    .evaluateAll((options) => options.map((each) => each.getAttribute('aria-label')))
  expect(new Set(names).size).toBe(names.length)
  const drawings = await grid(page)
    .getByRole('option')
    .evaluateAll((options) => options.map((each) => each.querySelector('svg')?.innerHTML))
  expect(new Set(drawings).size).toBe(names.length)
})

test('an icon is chosen with the pointer, and removed again [3.7]', async ({ openStory }) => {
  const page = await openStory('forms/iconpicker', { state: 'gol' })
  await expect(button(page)).toHaveAccessibleName('Pictogramă Alege')
  await openGrid(page)
  await expect(page.getByRole('button', { name: 'Fără pictogramă' })).toHaveCount(0)
  await grid(page).getByRole('option', { name: 'Avion de hârtie' }).hover()
  await expect(page.getByRole('tooltip')).toHaveText('Avion de hârtie')
  await grid(page).getByRole('option', { name: 'Avion de hârtie' }).click()
  await expect(grid(page)).toBeHidden()
  await expect(button(page)).toHaveAccessibleName('Pictogramă Avion de hârtie')
  await expect(button(page)).toBeFocused()
  await expect(value(page)).toContainText('"icon": "paper-plane"')

  await openGrid(page)
  await expect(grid(page).getByRole('option', { selected: true })).toHaveAccessibleName('Avion de hârtie')
  await page.getByRole('button', { name: 'Fără pictogramă' }).click()
  await expect(value(page)).toContainText('"icon": ""')
  await expect(button(page)).toHaveAccessibleName('Pictogramă Alege')
})

test('an icon is found and chosen with the keyboard alone, also without its diacritics [3.7]', async ({
  openStory,
}) => {
  const page = await openStory('forms/iconpicker', { state: 'gol' })
  await page.keyboard.press('Tab')
  await expect(button(page)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(search(page)).toBeFocused()
  const active = () =>
    search(page).evaluate(
      (input) =>
        document
          .getElementById(input.getAttribute('aria-activedescendant') ?? '')
          ?.getAttribute('aria-label') ?? null,
    )
  for (const [key, name] of [
    ['ArrowDown', 'Stetoscop'],
    ['ArrowDown', 'Documente'],
    ['ArrowRight', 'PDF'],
    ['ArrowUp', 'Calendar'],
    ['ArrowLeft', 'Stetoscop'],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(active).toBe(name)
  }
  await page.keyboard.type('inima')
  await expect(grid(page).getByRole('option')).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toBe('Inimă')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toBeHidden()
  await expect(button(page)).toBeFocused()
  await expect(value(page)).toContainText('"icon": "heart"')

  await page.keyboard.press('Enter')
  await expect(search(page)).toBeFocused()
  await page.keyboard.type('zzz')
  await expect(page.getByText('Nicio pictogramă găsită')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(grid(page)).toBeHidden()
  await expect(value(page)).toContainText('"icon": "heart"')
})

test('a required icon shows its error once it was left, and gets the focus when the form is invalid [3.7] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/iconpicker', { state: 'cu ajutor' })
  const fault = page.getByText('Pictogramă este necesar.')
  await expect(button(page)).toHaveAccessibleDescription('Stă lângă numele categoriei în liste.')
  await openGrid(page)
  await expect(fault).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(fault).toBeVisible()
  await expect(button(page)).toHaveAccessibleDescription(/Stă lângă numele.*necesar/)
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(button(page)).toBeFocused()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await openGrid(page)
  await grid(page).getByRole('option', { name: 'Spital' }).click()
  await expect(fault).toBeHidden()
  await openGrid(page)
  await expect(page.getByRole('button', { name: 'Fără pictogramă' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('the grid is loaded when first opened and fits a phone; a disabled field opens nothing', async ({
  openStory,
}) => {
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }
  const page = await openStory('forms/iconpicker', { state: 'completat', ...phone })
  const scripts = () => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  expect((await scripts()).filter((name) => name.includes('icon-grid'))).toEqual([])
  await openGrid(page)
  expect((await scripts()).filter((name) => name.includes('icon-grid'))).toHaveLength(1)
  const box = (await page.getByRole('dialog', { name: 'Pictogramă' }).boundingBox())!
  expect(box.x).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width).toBeLessThanOrEqual(360)
  expect(await grid(page).evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  const cell = (await grid(page).getByRole('option').first().boundingBox())!
  expect(cell).toMatchObject({ width: 44, height: 44 })

  const off = await openStory('forms/iconpicker', { state: 'dezactivat' })
  await expect(button(off)).toBeDisabled()
})

test('the field and its grid are accessible, in both modes', async ({ openStory }) => {
  await expectAccessibleInBothModes(await openStory('forms/iconpicker', { state: 'refuzat' }))
  const open = await openStory('forms/iconpicker', { state: 'completat' })
  await openGrid(open)
  await expect(open.getByRole('dialog')).not.toHaveAttribute('data-entering')
  await open.keyboard.press('ArrowDown')
  await expectAccessibleInBothModes(open)
})
