import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

const INVALID = 'Data selectată este nevalidă.'
const UNREADABLE = 'Data nu există. Scrie ziua, luna și anul cu patru cifre: 03.04.1985.'

const values = (page: Page) => page.getByTestId('values')
const birthDate = (page: Page) => page.getByRole('textbox', { name: 'Data nașterii' })
/** Matches `6 mai 2026`, and not the 16th. */
const day = (page: Page, name: string) =>
  page.getByRole('gridcell').getByRole('button', { name: new RegExp(`, ${name}`) })
const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** The focused day. */
const focusedDay = (page: Page) => page.locator('[role="gridcell"] :focus')

test('a day is typed in every usual format, and dots are inserted automatically [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'gol' })
  const field = birthDate(page)
  for (const [typed, shown] of [
    ['03041985', '03.04.1985'],
    ['3.4.1985', '3.4.1985'],
    ['03/04/1985', '03.04.1985'],
    ['03.04.1985', '03.04.1985'],
  ] as const) {
    await field.fill('')
    await field.pressSequentially(typed)
    await expect(field).toHaveValue(shown)
    await expect(values(page)).toContainText('"birthDate": "1985-04-03"')
  }
  await field.fill('')
  await expect(values(page)).toContainText('"birthDate": null')
  await field.pressSequentially('3.4.1985')
  await press(page, 'Tab')
  await expect(field).toHaveValue('03.04.1985')
})

test('a pasted day replaces the content of the field, also when longer than the field', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  const field = birthDate(page)
  const paste = (text: string) =>
    field.evaluate((input, copied) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', copied)
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    }, text)
  await paste(' 24 / 12 / 1990 ')
  await expect(field).toHaveValue('24.12.1990')
  await paste('01021970')
  await expect(field).toHaveValue('01.02.1970')
  await expect(values(page)).toContainText('"birthDate": "1970-02-01"')
})

test('a text that is no day shows an error once the field is left, and blocks the form [5.3]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  const field = birthDate(page)
  await field.fill('')
  await field.pressSequentially('31022020')
  await expect(field).toHaveValue('31.02.2020')
  await expect(page.getByText(UNREADABLE)).toBeHidden()
  await press(page, 'Tab', 'Tab')
  await expect(page.getByText(UNREADABLE)).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')

  await field.fill('')
  await field.pressSequentially('01.02')
  await expect(page.getByText(UNREADABLE), 'not while it is typed').toBeHidden()
  await press(page, 'Enter')
  await expect(page.getByText(UNREADABLE)).toBeVisible()
  await expect(page.getByText('Trimis: 0')).toBeVisible()

  await field.pressSequentially('2020')
  await press(page, 'Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
  await expect(page.getByText(UNREADABLE)).toBeHidden()
})

test('an invalid required day shows one error only', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'gol' })
  const field = birthDate(page)
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText('Data nașterii este necesar.')).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.type('99')
  await press(page, 'Tab', 'Tab')
  await expect(page.getByText(UNREADABLE)).toBeVisible()
  await expect(page.getByText('este necesar')).toBeHidden()
})

test('a day outside its bounds or in the list of disabled days blocks the form [5.6]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'cu margini' })
  const field = page.getByRole('textbox', { name: 'Data examinării' })
  for (const wrong of ['09.03.2026', '21.04.2026', '06.04.2026']) {
    await field.fill(wrong)
    await press(page, 'Enter')
    await expect(page.getByText(INVALID)).toBeVisible()
    await expect(page.getByRole('alert')).toContainText('unele câmpuri nu sunt corect completate')
    await field.fill('10.03.2026')
    await expect(page.getByText(INVALID)).toBeHidden()
  }
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await field.fill('20.04.2026')
  await press(page, 'Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
})

test('an initial day that a function disables is invalid [5.6]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'respins' })
  await page.getByRole('button', { name: 'Trimite' }).click()
  await expect(page.getByText(INVALID)).toBeVisible()
  await expect(page.getByText('Trimis: 0')).toBeVisible()
})

test('the calendar is opened, navigated and used by keyboard alone [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  const field = birthDate(page)
  await field.focus()
  await press(page, 'Alt+ArrowDown')
  const calendar = page.getByRole('dialog', { name: 'Alege data: Data nașterii' })
  await expect(calendar).toBeVisible()
  await expect(focusedDay(page)).toHaveAccessibleName('miercuri, 3 aprilie 1985 selectată')
  for (const [key, name] of [
    ['ArrowRight', 'joi, 4 aprilie 1985'],
    ['ArrowDown', 'joi, 11 aprilie 1985'],
    ['ArrowLeft', 'miercuri, 10 aprilie 1985'],
    ['ArrowUp', 'miercuri, 3 aprilie 1985 selectată'],
    ['Home', 'luni, 1 aprilie 1985'],
    ['End', 'marți, 30 aprilie 1985'],
    ['PageDown', 'joi, 30 mai 1985'],
    ['PageUp', 'marți, 30 aprilie 1985'],
    ['Shift+PageDown', 'miercuri, 30 aprilie 1986'],
    ['Shift+PageUp', 'marți, 30 aprilie 1985'],
  ] as const) {
    await press(page, key)
    await expect(focusedDay(page), key).toHaveAccessibleName(name)
  }
  await press(page, 'Enter')
  await expect(calendar).toBeHidden()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('30.04.1985')
  await expect(values(page)).toContainText('"birthDate": "1985-04-30"')

  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page)).toHaveAccessibleName('marți, 30 aprilie 1985 selectată')
  await press(page, 'Escape')
  await expect(calendar).toBeHidden()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('30.04.1985')
})

test('the calendar comes when it is first opened, with the week from Monday and the choice in its button', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  const scripts: string[] = []
  page.on('request', (request) => void (request.url().endsWith('.js') && scripts.push(request.url())))
  await birthDate(page).focus()
  await press(page, 'Tab')
  expect(scripts).toEqual([])
  await expect(page.locator(':focus')).toHaveAccessibleName('Alege data: Data nașterii, acum 3 aprilie 1985')
  await press(page, 'Enter')
  await expect(page.getByRole('grid', { name: 'Alege data: Data nașterii, aprilie 1985' })).toBeVisible()
  expect(scripts.filter((url) => url.includes('calendar-panel'))).toHaveLength(1)
  const weekdays = page.locator('[role="grid"] th')
  await expect(weekdays).toHaveText(['lun.', 'mar.', 'mie.', 'joi', 'vin.', 'sâm.', 'dum.'])
})

test('from a disabled day the keyboard goes on to the nearest enabled one within 7 days [9.13]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'fără sfârșit de săptămână' })
  const field = page.getByRole('textbox', { name: 'Data examinării' })
  await field.fill('03.04.2026')
  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page)).toHaveAccessibleName('vineri, 3 aprilie 2026 selectată')
  await press(page, 'ArrowRight')
  await expect(focusedDay(page)).toHaveAccessibleName('luni, 6 aprilie 2026')
  await press(page, 'ArrowLeft')
  await expect(focusedDay(page)).toHaveAccessibleName('vineri, 3 aprilie 2026 selectată')

  // The whole of May is disabled: within 7 days of its first there is nothing.
  await press(page, 'End', 'ArrowRight')
  await expect(focusedDay(page)).toHaveAccessibleName('vineri, 1 mai 2026')
  await expect(focusedDay(page)).toHaveAttribute('aria-disabled', 'true')
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toBeVisible()
  await press(page, 'End')
  await expect(focusedDay(page), 'May 31 leads on to June').toHaveAccessibleName('luni, 1 iunie 2026')
  await press(page, 'Enter')
  await expect(field).toHaveValue('01.06.2026')

  await field.fill('30.09.2026')
  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page)).toBeVisible()
  await press(page, 'PageDown', 'Home', 'End')
  await expect(focusedDay(page), 'before a Saturday, the 31st').toHaveAccessibleName(
    'vineri, 30 octombrie 2026',
  )
  await press(page, 'Escape')

  await field.fill('07.03.2026')
  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page), 'opened on a disabled day').toHaveAccessibleName('vineri, 6 martie 2026')
})

test('the title opens the months and then ten years at a time, by keyboard [9.13]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  const field = birthDate(page)
  await field.focus()
  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page)).toBeVisible()
  await page.getByRole('button', { name: 'aprilie 1985, alege luna' }).press('Enter')
  await expect(page.getByRole('listbox', { name: 'Luna, 1985' }).getByRole('option')).toHaveCount(12)
  await expect(page.getByRole('option', { name: 'aprilie' })).toBeFocused()
  await page.getByRole('button', { name: '1985, alege anul' }).press('Enter')
  const years = page.getByRole('listbox', { name: 'Anul, 1980–1989' }).getByRole('option')
  await expect(years).toHaveText(Array.from({ length: 10 }, (_, place) => String(1980 + place)))
  await expect(page.getByRole('option', { name: '1985', selected: true })).toBeFocused()
  await press(page, 'PageDown')
  await expect(page.getByRole('option', { name: '1995' })).toBeFocused()
  await press(page, 'End', 'ArrowRight')
  await expect(page.getByRole('option', { name: '2000' })).toBeFocused()
  await press(page, 'Enter')
  await expect(page.getByRole('option', { name: 'aprilie' })).toBeFocused()
  await press(page, 'ArrowDown', 'Enter')
  await expect(focusedDay(page)).toHaveAccessibleName('luni, 3 iulie 2000')
  await press(page, 'Enter')
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('03.07.2000')
})

test('by pointer: pages, a month of another year, a day [9.13]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'completat' })
  await page.getByRole('button', { name: 'Alege data' }).click()
  await page.getByRole('button', { name: 'Luna anterioară' }).click()
  await expect(page.getByRole('grid', { name: 'martie 1985' })).toBeVisible()
  await page.getByRole('button', { name: 'Luna următoare' }).click()
  await page.getByRole('button', { name: 'aprilie 1985, alege luna' }).click()
  await page.getByRole('button', { name: 'Anul următor' }).click()
  await page.getByRole('button', { name: '1986, alege anul' }).click()
  await page.getByRole('button', { name: 'Deceniul anterior' }).click()
  await page.getByRole('option', { name: '1978' }).click()
  await page.getByRole('option', { name: 'noiembrie' }).click()
  await day(page, '24 noiembrie 1978').click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(birthDate(page)).toBeFocused()
  await expect(values(page)).toContainText('"birthDate": "1978-11-24"')
})

test('disabled days cannot be focused or chosen in the calendar [5.6]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'cu margini' })
  await page.getByRole('button', { name: 'Alege data' }).click()
  await expect(page.getByRole('button', { name: 'Luna anterioară' })).toBeDisabled()
  await expect(day(page, '9 martie 2026')).toHaveAttribute('aria-disabled', 'true')
  await expect(day(page, '16 martie 2026')).toHaveAttribute('aria-disabled', 'true')
  await day(page, '16 martie 2026').click({ force: true })
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.getByRole('button', { name: 'Luna următoare' }).press('Enter')
  await expect(page.getByRole('button', { name: 'Luna următoare' })).toBeDisabled()
  await expect(focusedDay(page), 'the keyboard is not lost').toHaveAccessibleName('duminică, 12 aprilie 2026')
  await expect(page.getByRole('button', { name: 'Astăzi', exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'aprilie 2026, alege luna' }).click()
  await expect(page.getByRole('option', { name: 'mai' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('option', { name: 'mai' }).click({ force: true })
  await page.getByRole('option', { name: 'martie' }).click()
  await expect(page.getByRole('grid', { name: 'martie 2026' })).toBeVisible()
})

test('„Astăzi” chooses today where today is allowed', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'gol', timezoneId: 'Europe/Bucharest' })
  await page.clock.setFixedTime('2026-03-12T22:30:00Z')
  await page.getByRole('button', { name: 'Alege data' }).click()
  await page.getByRole('button', { name: 'Astăzi', exact: true }).click()
  await expect(birthDate(page)).toHaveValue('13.03.2026')
})

test('opening the calendar does not count as leaving the field [5.3]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'gol' })
  const field = birthDate(page)
  await field.focus()
  await press(page, 'Tab', 'Enter')
  await expect(focusedDay(page)).toBeVisible()
  await press(page, 'Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Alege data' })).toBeFocused()
  await expect(page.getByText('este necesar')).toBeHidden()
  await press(page, 'Tab')
  await expect(page.getByText('Data nașterii este necesar.')).toBeVisible()
})

test('a disabled field opens nothing', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'dezactivat' })
  await expect(birthDate(page)).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Alege data' })).toBeDisabled()
})

test('a period is typed in two fields, and is invalid while its end is before its start [5.6]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'perioadă' })
  const group = page.getByRole('group', { name: 'Perioada internării' })
  const start = group.getByRole('textbox', { name: 'de la' })
  const end = group.getByRole('textbox', { name: 'până la' })
  await start.pressSequentially('20032026')
  await press(page, 'Tab', 'Tab')
  await expect(end, 'the second field, still within the period').toBeFocused()
  await expect(page.getByText('Lipsește')).toBeHidden()
  await press(page, 'Tab', 'Tab')
  await expect(page.getByText('Lipsește data de sfârșit.')).toBeVisible()
  await expect(start).toHaveAccessibleDescription(/Ambele zile sunt incluse\. Lipsește data de sfârșit\./)
  await expect(values(page)).toContainText('"period": null')

  await end.pressSequentially('10032026')
  await expect(page.getByText('Data de început este după data de sfârșit.')).toBeVisible()
  await press(page, 'Enter')
  await expect(page.getByText('Trimis: 0')).toBeVisible()
  await end.fill('30.03.2026')
  await press(page, 'Enter')
  await expect(page.getByText('Trimis: 1')).toBeVisible()
  await expect(values(page)).toContainText('"start": "2026-03-20"')
  await expect(values(page)).toContainText('"end": "2026-03-30"')
})

test('a period is chosen in one calendar, by keyboard, across the months of another year [3.10]', async ({
  openStory,
}) => {
  const page = await openStory('forms/datepicker', { state: 'perioadă completată' })
  const end = page.getByRole('textbox', { name: 'până la' })
  await end.focus()
  await press(page, 'Alt+ArrowDown')
  await expect(focusedDay(page)).toHaveAccessibleName(/vineri, 20 martie 2026/)
  await press(page, 'PageDown', 'Enter')
  await expect(page.getByText('Alege ultima zi.')).toBeVisible()
  await page.getByRole('button', { name: 'aprilie 2026, alege luna' }).press('Enter')
  await expect(page.getByRole('option', { name: 'aprilie' })).toBeFocused()
  await press(page, 'PageDown', 'Enter')
  await expect(focusedDay(page)).toHaveAccessibleName(/aprilie 2027/)
  await press(page, 'Enter')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(end).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'de la' })).toHaveValue('20.04.2026')
  await expect(values(page)).toContainText('"start": "2026-04-20"')
  await expect(values(page)).toContainText('"end": "2027-04-')
})

test('a period is chosen by pointer [3.10]', async ({ openStory }) => {
  const page = await openStory('forms/datepicker', { state: 'perioadă completată' })
  await page.getByRole('button', { name: 'Alege perioada' }).first().click()
  await day(page, '24 martie 2026').click()
  await page.getByRole('button', { name: 'martie 2026, alege luna' }).click()
  await page.getByRole('option', { name: 'mai' }).click()
  await day(page, '6 mai 2026').click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByRole('textbox', { name: 'de la' })).toHaveValue('24.03.2026')
  await expect(page.getByRole('textbox', { name: 'până la' })).toHaveValue('06.05.2026')
})

test('a day is chosen by touch at 360 px without the on-screen keyboard', async ({ openStory }) => {
  const phone = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }
  const page = await openStory('forms/datepicker', { state: 'completat', ...phone })
  const button = page.getByRole('button', { name: 'Alege data' })
  await button.tap()
  const box = await page.getByRole('dialog').boundingBox()
  expect(box?.x).toBeGreaterThanOrEqual(0)
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360)
  const cell = await day(page, '9 aprilie 1985').boundingBox()
  expect(Math.min(cell?.width ?? 0, cell?.height ?? 0)).toBeGreaterThanOrEqual(44)
  await day(page, '9 aprilie 1985').tap()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(values(page)).toContainText('"birthDate": "1985-04-09"')
  await expect(button).toBeFocused()
})

test('fields and calendars are accessible, in both modes', async ({ openStory }) => {
  const viewport = { width: 360, height: 760 }
  const page = await openStory('forms/datepicker', { viewport })
  await expectAccessibleInBothModes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)

  for (const [state, opener] of [
    ['cu margini', 'Alege data'],
    ['perioadă completată', 'Alege perioada'],
  ] as const) {
    const story = await openStory('forms/datepicker', { state, viewport })
    await story.getByRole('button', { name: opener }).first().click()
    await expect(focusedDay(story)).toBeVisible()
    await expectAccessibleInBothModes(story)
    await story.getByRole('button', { name: 'alege luna' }).click()
    await expectAccessibleInBothModes(story)
    await story.getByRole('button', { name: 'alege anul' }).click()
    await expectAccessibleInBothModes(story)
  }
})
