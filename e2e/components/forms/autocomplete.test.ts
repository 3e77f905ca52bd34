import { AxeBuilder } from '@axe-core/playwright'
import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

const values = (page: Page) => page.getByTestId('values')
const field = (page: Page) => page.getByRole('combobox').first()
const options = (page: Page) => page.getByRole('option')
const option = (page: Page, name: string) => page.getByRole('option', { name })
/** Also finds rows that the open list hides from screen readers. */
const tags = (page: Page) => page.getByRole('row', { includeHidden: true })
/** Also while the list is open, which hides the button from screen readers. */
const listButton = (page: Page) => page.getByRole('button', { name: 'Afișare sugestii', includeHidden: true })
const opener = (page: Page) => page.getByRole('button', { name: /^Afișare sugestii/ })

/** Finds hidden elements too: React Aria hides everything around an open list from screen readers. */
async function expectOpenListAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const axe = new AxeBuilder({ page })
      .setLegacyMode()
      .include('[role=combobox]')
      .include('[data-trigger=ComboBox]')
    const { violations } = await axe.analyze()
    expect(violations.map(({ id, help }) => `${id}: ${help}`)).toEqual([])
  }
}

test('an autocomplete works by keyboard alone and finds without diacritics [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'gol' })
  await field(page).focus()
  await page.keyboard.type('tirgu mu')
  await expect(options(page)).toHaveText(['Târgu Mureș'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(field(page)).toHaveValue('Târgu Mureș')
  await expect(values(page)).toHaveText('{ "town": "târgu mureș" }')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(values(page)).toHaveText('{ "town": null }')
})

test('an autocomplete works by pointer [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'ales' })
  await expect(field(page)).toHaveValue('Iași')
  await opener(page).first().click()
  await expect(options(page)).toHaveCount(11)
  await expect(page.getByRole('option', { selected: true })).toHaveText('Iași')
  await option(page, 'Brașov').click()
  await expect(values(page)).toHaveText('{ "town": "brașov", "long": "long" }')
  await page.getByRole('button', { name: 'Golește: Localitate' }).click()
  await expect(field(page)).toHaveValue('')
  await expect(field(page)).toBeFocused()
  await expect(values(page)).toHaveText('{ "town": null, "long": "long" }')
})

test('in a field with a choice Tab chooses the row of the typed text, and Escape restores the choice [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/autocomplete', { state: 'ales' })
  await field(page).fill('Brașo')
  await expect(options(page)).toHaveText(['Brașov'])
  await field(page).press('Escape')
  await expect(field(page)).toHaveValue('Iași')
  await field(page).fill('Brașo')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /option-brașov$/)
  await field(page).press('Tab')
  await expect(field(page)).toHaveValue('Brașov')
  await field(page).fill('xyz')
  await expect(page.getByText('Nimic găsit')).toBeVisible()
  await field(page).press('Escape')
  await expect(field(page)).toHaveValue('Brașov')
})

test('several options are chosen and removed by keyboard [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'mai multe' })
  await field(page).focus()
  for (const town of ['cluj', 'iasi']) {
    await page.keyboard.type(town)
    await expect(options(page)).toHaveCount(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveValue('')
  }
  await expect(tags(page)).toHaveText(['Cluj-Napoca', 'Iași'])
  await expect(values(page)).toHaveText('{ "towns": [ "cluj-napoca", "iași" ] }')
  await expect(field(page)).toHaveAccessibleDescription(/Cluj-Napoca.*Iași/)
  // In a typed text, Backspace deletes letters.
  await page.keyboard.type('b')
  await page.keyboard.press('Backspace')
  await expect(tags(page)).toHaveCount(2)
  await page.keyboard.press('Backspace')
  await expect(tags(page)).toHaveText(['Cluj-Napoca'])
  await expect(page.getByRole('status').getByText('Eliminat: Iași').first()).toBeAttached()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Elimină Cluj-Napoca' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await expect(values(page)).toHaveText('{ "towns": [] }')
})

test('several options are chosen and removed by pointer, and a rule counts them [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/autocomplete', { state: 'mai multe' })
  await opener(page).click()
  for (const town of ['Brașov', 'Iași', 'Timișoara', 'Târgu Jiu']) await option(page, town).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Localități: cel mult 3.')).toBeVisible()
  await page.getByRole('button', { name: 'Elimină Iași' }).click()
  await expect(values(page)).toHaveText('{ "towns": [ "brașov", "timișoara", "târgu jiu" ] }')
  await expect(page.getByText('Localități: cel mult 3.')).toBeHidden()
  await page.getByRole('button', { name: 'Golește: Localități' }).click()
  await expect(values(page)).toHaveText('{ "towns": [] }')
  await expect(field(page)).toBeFocused()
})

test('options are loaded from the server while typing and scrolling [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'de la server' })
  // The name of the choice is known before the first request.
  await expect(field(page)).toHaveValue('Pacientul 777')
  await field(page).press('ArrowDown')
  await expect(option(page, 'Pacientul 2').first()).toBeVisible()
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Pacientul 777/)
  const list = page.getByRole('listbox')
  await expect(async () => {
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(list).toContainText(/Pacientul (4[1-9]|[5-9]\d)/, { timeout: 500 })
  }).toPass()
  await field(page).fill('pacientul 99')
  // The list starts at its top again, though it was scrolled.
  await expect(options(page).first()).toHaveText(/^Pacientul 99nr/)
  await expect(option(page, 'Pacientul 777')).toHaveCount(0)
  await field(page).fill('998')
  await option(page, 'Pacientul 998').click()
  await expect(values(page)).toHaveText('{ "patient": "998" }')
  await expect(field(page)).toHaveValue('Pacientul 998')
  await field(page).fill('nimeni')
  await expect(page.getByText('Niciun pacient găsit')).toBeVisible()
  await field(page).press('Escape')
  await expect(field(page)).toHaveValue('Pacientul 998')
})

test('a choice from one response stays while another response is in the list [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/autocomplete', { state: 'de la server, mai multe' })
  for (const number of ['998', '123']) {
    await field(page).fill(number)
    await option(page, `Pacientul ${number}`).click()
  }
  await expect(tags(page)).toHaveText(['Pacientul 998', 'Pacientul 123'])
  await expect(values(page)).toHaveText('{ "patients": [ "998", "123" ] }')
})

test('a late response is not shown for another query [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'răspuns târziu' })
  await field(page).pressSequentially('1')
  await expect(page.getByText('Se caută…')).toBeVisible()
  // After the debounce of the last key the first request is under way.
  await expect(async () => {
    await field(page).fill('12')
    await expect(options(page)).toHaveText(['Răspuns la „12”'], { timeout: 1000 })
  }).toPass()
  await expect(options(page)).toHaveText(['Răspuns la „12”'])
})

test('a failed request is shown and retried, by keyboard and by pointer [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'server cu erori' })
  await field(page).press('ArrowDown')
  await expect(page.getByRole('status').getByText('Lista nu s-a încărcat.')).toBeVisible()
  await expect(options(page)).toHaveText(['Încearcă din nou'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(option(page, 'Pacientul 2').first()).toBeVisible()
  await expect(page.getByText('Lista nu s-a încărcat.')).toHaveCount(0)
  // The next page fails as well: the loaded rows stay.
  const list = page.getByRole('listbox')
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(page.getByText('Lista nu s-a încărcat.')).toBeVisible()
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await option(page, 'Încearcă din nou').click()
  await expect(page.getByText('Lista nu s-a încărcat.')).toHaveCount(0)
  await expect(values(page)).toHaveText('{}')
})

test('the form can load the options itself [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'condus din afară' })
  await field(page).fill('sfantu')
  await option(page, 'Sfântu Gheorghe').click()
  await expect(values(page)).toHaveText('{ "town": "sfântu gheorghe" }')
  // The text of a choice is not a query: all options are listed again.
  await opener(page).click()
  await expect(option(page, 'Brașov')).toBeVisible()
})

test('a new option is created, unless it exists in another spelling [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'cu opțiuni noi' })
  await field(page).pressSequentially('targu jiu')
  await expect(options(page)).toHaveText(['Târgu Jiu'])
  await field(page).fill('Interzis aici')
  await expect(options(page)).toHaveText(['Adaugă „Interzis aici”'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').getByText('„Interzis aici” nu s-a adăugat.')).toBeVisible()
  await expect(field(page)).toHaveValue('Interzis aici')
  await field(page).fill('Vatra Dornei')
  await expect(page.getByText('nu s-a adăugat')).toHaveCount(0)
  await option(page, 'Adaugă „Vatra Dornei”').click()
  await expect(values(page)).toHaveText('{ "town": "nou:Vatra Dornei" }')
  await expect(field(page)).toHaveValue('Vatra Dornei')
  await expect(page.getByRole('listbox')).toBeHidden()
})

test('new options are added to the choices [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'mai multe, cu opțiuni noi' })
  await field(page).fill('iasi')
  await option(page, 'Iași').click()
  await field(page).fill('Vatra Dornei')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(tags(page)).toHaveText(['Iași', 'Vatra Dornei'])
  await expect(values(page)).toHaveText('{ "towns": [ "iași", "nou:Vatra Dornei" ] }')
  await expect(field(page)).toHaveValue('')
})

test('of a thousand options only visible ones are rendered, and each is found [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/autocomplete', { state: 'o mie' })
  await opener(page).click()
  await expect(options(page).first()).toBeVisible()
  expect(await options(page).count()).toBeLessThan(50)
  await field(page).fill('pacientul 1000')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{ "patient": "1000" }')
})

for (const key of ['Enter', 'Tab']) {
  test(`${key} chooses the first of several rows while typing, and keeps the arrow keys for the list [3.10]`, async ({
    openStory,
  }) => {
    const page = await openStory('forms/autocomplete', { state: 'gol' })
    await field(page).pressSequentially('tirgu')
    await expect(options(page)).toHaveText(['Târgu Jiu', 'Târgu Mureș'])
    await expect(field(page)).toHaveAttribute('aria-activedescendant', /option-târgujiu$/)
    await page.keyboard.press(key)
    await expect(field(page)).toHaveValue('Târgu Jiu')
    await expect(values(page)).toHaveText('{ "town": "târgu jiu" }')
  })

  test(`${key} chooses the first row of the server's response to the text, once it is there [3.10]`, async ({
    openStory,
  }) => {
    const page = await openStory('forms/autocomplete', { state: 'de la server, mai multe' })
    await field(page).pressSequentially('99')
    await expect(options(page).first()).toHaveText(/^Pacientul 99nr/)
    await expect(field(page)).toHaveAttribute('aria-activedescendant', /option-99$/)
    await page.keyboard.press(key)
    await expect(values(page)).toHaveText('{ "patients": [ "99" ] }')
  })

  test(`${key} chooses a row in preference to a custom text [3.10]`, async ({ openStory }) => {
    const page = await openStory('forms/autocomplete', { state: 'cu orice text' })
    await field(page).pressSequentially('Cluj-N')
    await expect(field(page)).toHaveAttribute('aria-activedescendant', /option-cluj-napoca$/)
    await page.keyboard.press(key)
    await expect(field(page)).toHaveValue('Cluj-Napoca')
    await expect(values(page)).toHaveText('{ "town": "cluj-napoca" }')
    await field(page).fill('Cătunul de Sus')
    await expect(options(page)).toHaveText(['Folosește „Cătunul de Sus”'])
    await field(page).press(key)
    await expect(values(page)).toHaveText('{ "town": "Cătunul de Sus" }')
  })
}

test('Enter before the response chooses no row of an older query, and a single row of its own [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/autocomplete', { state: 'răspuns târziu' })
  await field(page).fill('12')
  await expect(options(page)).toHaveText(['Răspuns la „12”'])
  await field(page).fill('1')
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{}')
  await expect(options(page)).toHaveText(['Răspuns la „1”'])
  await expect(values(page)).toHaveText('{ "answer": "1" }')
  await expect(field(page)).toHaveValue('Răspuns la „1”')
})

test('a list of all options marks no row for the text in the box [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'de la server, mai multe' })
  await field(page).fill('99')
  await expect(options(page).first()).toHaveText(/^Pacientul 99nr/)
  await listButton(page).click()
  await expect(page.getByRole('listbox')).toBeHidden()
  await listButton(page).click()
  await expect(options(page).first()).toHaveText(/^Pacientul 1nr/)
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{}')
})

test('while more rows of a text are loading, Enter chooses the marked row [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'pagina a doua nu vine' })
  await field(page).fill('pacientul')
  await expect(options(page).first()).toHaveText(/^Pacientul 1nr/)
  await page.getByRole('listbox').evaluate((list) => list.scrollTo(0, list.scrollHeight))
  await expect(page.locator('[aria-busy=true]').getByRole('listbox')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(values(page)).toHaveText('{ "patient": "1" }')
})

test('a text that is chosen already is not chosen a second time [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'mai multe' })
  await field(page).fill('iasi')
  await option(page, 'Iași').click()
  await field(page).fill('iasi')
  await expect(options(page)).toHaveText(['Iași'])
  await page.locator('body').click({ position: { x: 2, y: 2 } })
  await expect(page.getByRole('listbox')).toBeHidden()
  await expect(values(page)).toHaveText('{ "towns": [ "iași" ] }')
})

test('a press in the field opens the list, and a second press does not close it [3.10]', async ({
  openStory,
}) => {
  for (const state of ['gol', 'de la server, mai multe']) {
    const page = await openStory('forms/autocomplete', { state })
    await field(page).click()
    await expect(options(page).nth(1)).toBeVisible()
    await field(page).click()
    await expect(options(page).nth(1)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
  }
})

for (const state of ['gol', 'mai multe']) {
  test(`a form that scrolls keeps the typed text, and the list beside its field: ${state} [3.10]`, async ({
    openStory,
  }) => {
    const page = await openStory('forms/autocomplete', { state })
    const scroll = (top: number) =>
      page.locator('form').evaluate((form, to) => {
        Object.assign(form.style, { height: '60px', overflow: 'auto' })
        form.scrollTop = to
        return form.scrollTop
      }, top)
    const gap = async () => {
      const [box, list] = [await field(page).boundingBox(), await page.getByRole('listbox').boundingBox()]
      return Math.round(list!.y - box!.y)
    }
    await scroll(0)
    await field(page).pressSequentially('tirgu')
    await expect(options(page)).toHaveText(['Târgu Jiu', 'Târgu Mureș'])
    const before = await gap()
    expect(await scroll(8)).toBe(8)
    await expect.poll(gap).toBe(before)
    await expect(field(page)).toHaveAttribute('aria-activedescendant', /option-târgujiu$/)
    await page.keyboard.type(' m')
    await page.keyboard.press('Enter')
    await expect(values(page)).toContainText('târgu mureș')
  })
}

test('a required autocomplete shows its error once it was left [3.10] [5.3]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete', { state: 'obligatoriu' })
  await field(page).fill('bra')
  await expect(page.getByText('Localitate este necesar.')).toBeHidden()
  await field(page).fill('')
  await page.keyboard.press('Tab')
  await expect(page.getByText('Localitate este necesar.')).toBeVisible()
  await opener(page).click()
  await option(page, 'Brașov').click()
  await expect(page.getByText('Localitate este necesar.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Golește: Localitate' })).toHaveCount(0)
})

test('autocompletes are accessible, in both modes [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/autocomplete')
  await expectAccessibleInBothModes(page)
  for (const state of ['ales', 'mai multe, alese', 'de la server', 'server cu erori']) {
    const one = await openStory('forms/autocomplete', { state, reducedMotion: 'reduce' })
    await field(one).press('ArrowDown')
    await expect(options(one).nth(state === 'server cu erori' ? 0 : 1)).toBeVisible()
    await expectOpenListAccessible(one)
  }
})

test('autocompletes fit a phone: nothing scrolls sideways [3.10]', async ({ openStory }) => {
  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true }
  for (const state of ['ales', 'mai multe, alese', 'de la server', 'server cu erori']) {
    const page = await openStory('forms/autocomplete', { state, ...phone })
    await opener(page).first().tap()
    await expect(options(page).first()).toBeVisible()
    const list = (await page.getByRole('listbox').boundingBox())!
    expect(list.x).toBeGreaterThanOrEqual(0)
    expect(list.x + list.width).toBeLessThanOrEqual(360)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  }
})
