import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Locator, test } from '../../harness/catalogue.ts'

const top = async (locator: Locator) => Math.round((await locator.boundingBox())!.y)

test('a switch is turned on and off by Space and by a click, and shows its state as a word [3.9] [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/toggle', { state: 'pornit sau oprit' })
  const values = page.getByTestId('values')
  const shared = page.getByRole('switch', { name: 'Vizibil pentru instituții' })
  await expect(shared).not.toBeChecked()
  await expect(shared).toHaveAccessibleDescription('Se poate schimba oricând.')
  const word = page
    .locator('label')
    .filter({ hasText: 'Vizibil' })
    .getByText(/^(Da|Nu)$/)
  await expect(word).toHaveText('Nu')
  await shared.focus()
  await page.keyboard.press('Space')
  await expect(shared).toBeChecked()
  await expect(word).toHaveText('Da')
  await expect(values).toContainText('"shared": true')
  await page.getByText('Vizibil pentru instituții').click()
  await expect(shared).not.toBeChecked()
  await expect(values).toContainText('"shared": false')
  await expect(page.getByRole('switch', { name: 'Rezumat zilnic' })).toBeChecked()
  await expect(page.getByRole('switch', { name: 'Dezactivat' })).toBeDisabled()
})

test('a switch that must be on blocks the form, with its error under it [3.9] [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/toggle', { state: 'pornit sau oprit' })
  const terms = page.getByRole('switch', { name: 'Accept condițiile' })
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(terms).toBeFocused()
  await expect(terms).toHaveAccessibleDescription(/Te rog acceptă/)
  await page.keyboard.press('Space')
  await expect(terms).toHaveAccessibleDescription('')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('one of several options is chosen by arrow keys, which skip disabled options, and by a click [3.9]', async ({
  openStory,
}) => {
  const page = await openStory('forms/toggle', { state: 'una din opțiuni' })
  const values = page.getByTestId('values')
  const sex = page.getByRole('radiogroup', { name: 'Sex' })
  await page.keyboard.press('Tab')
  await expect(sex.getByRole('radio', { name: 'Masculin' })).toBeFocused()
  await expect(values).toHaveText('{}')
  await page.keyboard.press('Space')
  await expect(values).toContainText('"sex": "male"')
  await page.keyboard.press('ArrowRight')
  await expect(sex.getByRole('radio', { name: 'Feminin' })).toBeChecked()
  await expect(values).toContainText('"sex": "female"')
  await page.keyboard.press('Tab')
  const day = page.getByRole('radiogroup', { name: 'Ziua' })
  await page.keyboard.press('ArrowDown')
  await expect(day.getByRole('radio', { name: 'Marți' })).toBeChecked()
  await page.keyboard.press('ArrowDown')
  await expect(day.getByRole('radio', { name: 'Joi' })).toBeChecked()
  await expect(day.getByRole('radio', { name: 'Miercuri' })).toBeDisabled()
  await day.getByText('Luni').click()
  await expect(values).toContainText('"day": "mon"')
})

test('a required choice shows its error once it is left [3.9] [5.3] [5.5]', async ({ openStory }) => {
  const page = await openStory('forms/toggle', { state: 'una din opțiuni' })
  const sex = page.getByRole('radiogroup', { name: 'Sex' })
  await page.keyboard.press('Tab')
  await expect(page.getByText('Sex este necesar.')).toBeHidden()
  await page.keyboard.press('Tab')
  await expect(page.getByText('Sex este necesar.')).toBeVisible()
  await expect(sex).toHaveAttribute('aria-invalid', 'true')
  await expect(sex).toHaveAccessibleDescription('Sex este necesar.')
  await sex.getByText('Feminin').click()
  await expect(page.getByText('Sex este necesar.')).toBeHidden()
})

test('several options are chosen by arrow keys and Space, and by a click; too many are rejected [3.9]', async ({
  openStory,
}) => {
  const page = await openStory('forms/toggle', { state: 'mai multe opțiuni' })
  const days = page.getByRole('group', { name: 'Zile de lucru' })
  const values = page.getByTestId('values')
  const chosen = async () => JSON.parse((await values.textContent()) ?? '').days
  await expect(days.getByRole('checkbox', { name: 'Joi' })).toBeChecked()
  await page.keyboard.press('Tab')
  await expect(days.getByRole('checkbox', { name: 'Luni' })).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await expect(days.getByRole('checkbox', { name: 'Vineri' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect.poll(chosen).toEqual(['tue', 'thu', 'fri'])
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(days.getByRole('checkbox', { name: 'Joi' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect.poll(chosen).toEqual(['tue', 'fri'])
  await expect(days.getByRole('checkbox', { name: 'Miercuri' })).toBeDisabled()
  await days.getByText('Luni').click()
  await days.getByText('Joi').click()
  await page.getByRole('checkbox', { name: 'PDF' }).focus()
  await expect(page.getByText('Zile de lucru: cel mult 3.')).toBeVisible()
  await days.getByText('Luni').click()
  await expect(page.getByText('Zile de lucru: cel mult 3.')).toBeHidden()
})

test('help is announced with its option, and a click on it chooses [3.9]', async ({ openStory }) => {
  const page = await openStory('forms/toggle', { state: 'opțiuni cu explicații' })
  const later = page.getByRole('radio', { name: 'Mai târziu', exact: true })
  await expect(later).toHaveAccessibleDescription('Le eliberezi tu, din pagina încărcării.')
  // The label covers the whole segment and gets the press.
  await page.getByText('Le eliberezi tu').click({ force: true })
  await expect(later).toBeChecked()
  await expect(page.getByRole('radio', { name: 'Niciodată' })).toBeDisabled()
  const mail = page.getByRole('checkbox', { name: 'E-mail', exact: true })
  await expect(mail).toHaveAccessibleDescription('La adresa contului.')
  await page.getByText('La adresa contului.').click({ force: true })
  await expect(mail).toBeChecked()
})

test('segments share a row where there is room, and are stacked otherwise [3.9]', async ({ openStory }) => {
  const wide = await openStory('forms/toggle', { state: 'mai multe opțiuni' })
  expect(await top(wide.getByText('Imagini'))).toBe(await top(wide.getByText('PDF')))
  const phone = await openStory('forms/toggle', { viewport: { width: 360, height: 800 } })
  expect(await top(phone.getByText('Imagini'))).toBeGreaterThan(await top(phone.getByText('PDF')))
  expect(await top(phone.getByText('Feminin').first())).toBe(await top(phone.getByText('Masculin').first()))
  const scroll = () => document.documentElement.scrollWidth
  expect(await phone.evaluate(scroll)).toBe(360)
})

test('an option is high enough for pointer and touch [3.9]', async ({ openStory }) => {
  for (const [hasTouch, height] of [
    [false, 40],
    [true, 44],
  ] as const) {
    const page = await openStory('forms/toggle', { state: 'una din opțiuni', hasTouch, isMobile: hasTouch })
    const segment = page.getByText('Feminin').locator('xpath=ancestor::div[1]')
    expect((await segment.boundingBox())!.height).toBeGreaterThanOrEqual(height)
  }
})

test('the toggle is accessible, also with an error, in both modes [3.9]', async ({ openStory }) => {
  const page = await openStory('forms/toggle')
  await expect(page.getByRole('radiogroup', { name: 'Motivul' })).toBeVisible()
  for (const button of await page.getByRole('button', { name: 'Trimite' }).all()) await button.click()
  await expect(page.getByText('Sex este necesar.')).toBeVisible()
  await expectAccessibleInBothModes(page)
})
