import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

const values = (page: Page) => page.getByTestId('values')
const trigger = (page: Page, name: RegExp) => page.getByRole('button', { name }).first()
const options = (page: Page) => page.getByRole('option')
const tag = (page: Page, name: string) => page.getByRole('row', { name })

test('a dropdown works by keyboard alone [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown', { state: 'gol' })
  const field = trigger(page, /Rol$/)
  await expect(field).toHaveAccessibleName('Alege Rol')
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'Medic', exact: false }).first()).toBeFocused()
  await page.keyboard.type('reg')
  await expect(page.getByRole('option', { name: 'Registrator' })).toBeFocused()
  // The last option is disabled.
  await page.keyboard.press('End')
  await expect(page.getByRole('option', { name: 'Registrator' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleName('Registrator Rol')
  await expect(values(page)).toHaveText('{ "role": "registrar" }')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Registrator/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(field).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(field).toBeFocused()
  await expect(values(page)).toHaveText('{ "role": null }')
})

test('a dropdown works by pointer [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown', { state: 'gol' })
  await trigger(page, /Rol$/).click()
  await page.getByRole('option', { name: 'Asistent medical' }).click()
  await expect(values(page)).toHaveText('{ "role": "nurse" }')
  await page.getByRole('button', { name: 'Golește: Rol' }).click()
  await expect(values(page)).toHaveText('{ "role": null }')
  await expect(page.getByRole('button', { name: 'Golește: Rol' })).toHaveCount(0)
})

test('a required dropdown cannot be emptied, and shows its error once it was left [3.10] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/dropdown', { state: 'obligatoriu' })
  await trigger(page, /Rol$/).click()
  await page.keyboard.press('Escape')
  await expect(trigger(page, /Rol$/)).toBeFocused()
  await expect(page.getByText('Rol este necesar.')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByText('Rol este necesar.')).toBeVisible()
  await trigger(page, /Rol$/).click()
  await page.getByRole('option', { name: 'Medic' }).first().click()
  await expect(page.getByText('Rol este necesar.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Golește: Rol' })).toHaveCount(0)
})

test('several options are chosen and removed by keyboard [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown', { state: 'mai multe' })
  const field = trigger(page, /Investigații$/)
  await field.focus()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('option', { name: 'RMN cerebral' })).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(options(page).and(page.locator('[aria-selected=true]'))).toHaveText([
    'RMN cerebral',
    'CT torace',
  ])
  await page.keyboard.press('Escape')
  await expect(values(page)).toHaveText('{ "exams": [ "rmn", "ct" ] }')
  await expect(field).toHaveAccessibleName('RMN cerebral, CT torace Investigații')
  await page.keyboard.press('Tab')
  await expect(tag(page, 'RMN cerebral')).toBeFocused()
  await page.keyboard.press('Delete')
  await expect(tag(page, 'CT torace')).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(values(page)).toHaveText('{ "exams": [] }')
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleName('Alege investigațiile Investigații')
})

test('several options are chosen and removed by pointer, and a rule counts them [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/dropdown', { state: 'mai multe' })
  await trigger(page, /Investigații$/).click()
  for (const name of ['RMN cerebral', 'CT torace', 'Glicemie', 'Ecografie abdominală'])
    await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Investigații: cel mult 3.')).toBeVisible()
  await page.getByRole('button', { name: 'Elimină CT torace' }).click()
  await expect(values(page)).toHaveText('{ "exams": [ "rmn", "glicemie", "eco" ] }')
  await expect(page.getByText('Investigații: cel mult 3.')).toBeHidden()
  await page.getByRole('button', { name: 'Golește: Investigații' }).click()
  await expect(values(page)).toHaveText('{ "exams": [] }')
})

test('the list is searched without case and diacritics, in its groups [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown', { state: 'mai multe, cu căutare' })
  await trigger(page, /Investigații$/).click()
  await expect(page.getByRole('group', { name: 'Imagistică' }).getByRole('option')).toHaveCount(3)
  const search = page.getByRole('searchbox', { name: 'Caută: Investigații' })
  await expect(search).toBeFocused()
  await search.pressSequentially('STIMULARE TIROIDIANA')
  await expect(options(page)).toHaveText(['Hormon de stimulare tiroidiană (TSH)'])
  await expect(page.getByRole('group', { name: 'Imagistică' })).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{ "exams": [ "tsh" ] }')
  await search.fill('xyz')
  await expect(page.getByText('Nimic găsit')).toBeVisible()
  await search.fill('')
  await page.getByRole('option', { name: 'Glicemie' }).click()
  await expect(values(page)).toHaveText('{ "exams": [ "tsh", "glicemie" ] }')
})

test('of a thousand options only visible ones are rendered, and each is reached [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/dropdown', { state: 'o mie' })
  await trigger(page, /Secție$/).click()
  await expect(
    page.getByRole('option', { name: 'Secția 1', exact: true }).or(options(page).first()),
  ).toBeVisible()
  expect(await options(page).count()).toBeLessThan(50)
  await page.keyboard.press('End')
  await expect(page.getByRole('option', { name: 'Secția 1000' })).toBeVisible()
  await page.getByRole('searchbox').fill('sectia 777')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{ "ward": "777" }')
})

test('a list without options shows a message [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown', { state: 'fără opțiuni' })
  await trigger(page, /Medic$/).click()
  await expect(page.getByText('Nicio opțiune')).toBeVisible()
})

test('dropdowns are accessible, in both modes [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/dropdown')
  await expectAccessibleInBothModes(page)
  for (const state of ['gol', 'mai multe, alese', 'mai multe, cu căutare']) {
    const one = await openStory('forms/dropdown', { state, reducedMotion: 'reduce' })
    await trigger(one, /(Rol|Investigații)$/).press('ArrowDown')
    await expect(one.getByRole('listbox')).toBeVisible()
    await expectAccessibleInBothModes(one)
  }
})

test('dropdowns fit a phone: nothing scrolls sideways, and targets are large enough [3.10]', async ({
  openStory,
}) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
  for (const state of ['ales', 'mai multe, alese', 'cu căutare']) {
    const page = await openStory('forms/dropdown', { state, ...phone })
    const field = trigger(page, /(Rol|Investigații|Investigație)$/)
    expect((await field.boundingBox())!.height).toBeGreaterThanOrEqual(40)
    // In the corner, where there is no tag.
    await field.tap({ position: { x: 4, y: 4 } })
    await expect(page.getByRole('listbox')).toBeVisible()
    const list = (await page.getByRole('listbox').boundingBox())!
    expect(list.x).toBeGreaterThanOrEqual(0)
    expect(list.x + list.width).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
})
