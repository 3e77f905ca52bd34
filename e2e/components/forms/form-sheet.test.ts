import { expectAccessibleInBothModes } from '../../harness/accessibility.ts'
import { expect, type Page, test } from '../../harness/catalogue.ts'

const SHEET = 'la marginea paginii'

const open = (page: Page) => page.getByRole('button', { name: 'Deschide' }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Salvează' }).click()
/**
 * Dispatches a click on a button of the simulated server: the buttons are among the fields, inert while the
 * form is sent.
 */
const response = (page: Page, what: string) =>
  page.locator('button', { hasText: `Răspunde: ${what}` }).dispatchEvent('click')
const sheet = (page: Page) => page.getByRole('dialog', { name: 'Editează persoana' })
const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Renunți la modificări?' })

/** Returns the values of each submit. */
const sent = async (page: Page) =>
  ((await page.getByTestId('sent').textContent()) ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('server errors appear under their fields, move the focus there, and disappear once the field is changed', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Nume' }).fill('Georgescu')
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(1)
  await response(page, 'câmp refuzat')
  const email = page.getByLabel('E-mail')
  await expect(email).toBeFocused()
  await expect(email).toHaveAccessibleDescription('Adresa există deja.')
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveAccessibleDescription(
    'Nota este prea veche.',
  )
  await expect(page.getByRole('alert')).toBeHidden()

  await page.keyboard.press('End')
  await page.keyboard.type('x')
  await expect(page.getByText('Adresa există deja.')).toBeHidden()
  await expect(page.getByText('Nota este prea veche.')).toBeVisible()
  await save(page)
  await expect(page.getByText('Nota este prea veche.')).toBeHidden()
  await response(page, 'salvat')
  await expect(sheet(page)).toBeHidden()
  expect((await sent(page)).map(({ email }) => email)).toEqual(['ana@exemplu.ro', 'ana@exemplu.rox'])
})

test('an error without a field appears above the form, where it is visible and announced', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET, viewport: { width: 360, height: 420 } })
  const alert = page.getByRole('alert')
  await open(page)
  await save(page)
  await response(page, 'eroare')
  await expect(alert).toHaveText('Nu s-a salvatInstituția nu mai există.')
  await expect(alert).toBeInViewport({ ratio: 1 })
  await save(page)
  await expect(alert).toBeHidden()
  await response(page, 'câmp necunoscut')
  await expect(alert).toHaveText('Nu s-a salvatTrimiterea a expirat.')

  // The form's own error replaces it.
  await page.getByRole('textbox', { name: 'Nume' }).fill('')
  await page.getByRole('textbox', { name: 'Nume' }).press('Enter')
  await expect(alert).toHaveText('Nu s-a salvatPare rău, unele câmpuri nu sunt corect completate.')
  expect(await sent(page)).toHaveLength(2)
})

test('an invalid form is not sent, says so, and moves the focus to the first error [5.4]', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Nume' }).fill('')
  await page.getByLabel('E-mail').fill('ana')
  await save(page)
  await expect(page.getByRole('alert')).toContainText('Pare rău, unele câmpuri nu sunt corect completate.')
  await expect(page.getByRole('textbox', { name: 'Nume' })).toBeFocused()
  await expect(page.getByText('Nume este necesar.')).toBeVisible()
  await expect(page.getByText('Te rog folosește o adresă de email validă.')).toBeVisible()
  expect(await sent(page)).toEqual([])
})

test('a form is sent once for several submits; its fields are inert meanwhile, and get the focus back', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  const name = page.getByRole('textbox', { name: 'Nume' })
  await name.fill('Georgescu')
  await name.press('Enter')
  const pending = page.locator('button[data-pending]')
  await expect(pending).toBeFocused()
  await page.keyboard.type('scris prea târziu')
  await page.keyboard.press('Enter')
  // Forced: they are marked as disabled now.
  await pending.dblclick({ force: true })
  await page.locator('textarea').click({ force: true })
  await page.keyboard.type('scris prea târziu')
  await response(page, 'eroare')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await sent(page)).toHaveLength(1)
  await expect(name).toHaveValue('Georgescu')
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('')

  await expect(name).toBeFocused()

  await name.press('Enter')
  await expect(pending).toBeFocused()
  await response(page, 'eroare')
  await expect(name).toBeFocused()

  // Two quick clicks.
  await page.getByRole('button', { name: 'Salvează' }).dblclick()
  await response(page, 'salvat')
  await expect(sheet(page)).toBeHidden()
  expect(await sent(page)).toHaveLength(3)
})

test('Ctrl Enter submits from a multi-line field, where Enter adds a line', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Notă' }).fill('unu')
  await page.getByRole('textbox', { name: 'Notă' }).press('Enter')
  await page.keyboard.type('doi')
  expect(await sent(page)).toEqual([])
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => sent(page)).toEqual([expect.objectContaining({ note: 'unu\ndoi' })])
})

test('Ctrl Enter accepts or rejects partly typed text, as leaving the field does', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: 'cu text început' })
  await open(page)
  const colour = page.getByRole('combobox', { name: 'Culoare' })
  await colour.fill('verde')
  await expect(page.getByText('Nimic găsit')).toBeVisible()
  await colour.press('Control+Enter')
  await expect(colour).toHaveAccessibleDescription('„verde” nu este ales. Alege un rând din listă.')
  await expect(colour).toBeFocused()
  const day = page.getByRole('textbox', { name: 'Data', exact: true })
  await day.fill('3.4')
  await day.press('Control+Enter')
  await expect(day).toHaveAttribute('aria-invalid', 'true')
  // The form is submitted in a timer after the key; the text must not be gone by then.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await day.fill('')
  expect(await sent(page)).toEqual([])

  await colour.fill('albas')
  await expect(page.getByRole('option', { name: 'Albastru' })).toBeVisible()
  await colour.press('Control+Enter')
  await expect.poll(() => sent(page)).toEqual([expect.objectContaining({ colour: 'blue', town: null })])
  await expect(colour).toHaveValue('Albastru')
  await expect(colour).toBeFocused()
  const town = page.getByRole('combobox', { name: 'Oraș' })
  await town.fill('Vama Veche')
  await town.press('Control+Enter')
  await expect.poll(() => sent(page)).toHaveLength(2)
  expect((await sent(page))[1]).toMatchObject({ colour: 'blue', town: 'Vama Veche' })
})

test('typed text is not lost without a question: on Cancel, Escape, the close button or navigation', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()

  await open(page)
  await page.getByRole('textbox', { name: 'Notă' }).fill('ceva')
  const leave = [
    () => page.keyboard.press('Escape'),
    () => page.getByRole('button', { name: 'Anulează' }).click(),
    () => page.getByRole('button', { name: 'Închide' }).click(),
    () => page.getByRole('link', { name: 'Altă pagină' }).click(),
  ]
  for (const go of leave) {
    await go()
    await expect(warning(page)).toBeVisible()
    await page.getByRole('button', { name: 'Continuă editarea' }).click()
    await expect(warning(page)).toBeHidden()
    await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('ceva')
  }

  // The browser's own dialog, when the page itself is left.
  const requested = page.waitForEvent('dialog')
  const reload = page.evaluate(() => location.reload())
  const dialog = await requested
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await reload
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('ceva')

  // With the initial value restored there is nothing to lose.
  await page.getByRole('textbox', { name: 'Notă' }).fill('')
  await page.getByRole('button', { name: 'Anulează' }).click()
  await expect(sheet(page)).toBeHidden()

  await open(page)
  await page.getByRole('textbox', { name: 'Notă' }).fill('altceva')
  await page.getByRole('link', { name: 'Altă pagină' }).click()
  await page.getByRole('button', { name: 'Renunță la modificări' }).click()
  await expect(page.getByRole('heading', { name: 'Catalog', exact: true })).toBeVisible()
})

test('the form asks about partly typed text too, and no longer once it is deleted', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: 'cu text început' })
  for (const [label, text] of [
    ['Data', '3.4'],
    ['de la', '03.04.1985'],
    ['Culoare', 'verde'],
    ['Nuanță', 'rgb('],
    ['Ora', '1'],
    ['CNP', '29'],
    ['Telefon', '07'],
  ] as const) {
    const input = page.getByRole(label === 'Culoare' ? 'combobox' : 'textbox', { name: label, exact: true })
    await open(page)
    await input.pressSequentially(text)
    await input.press('Tab')
    await page.getByRole('button', { name: 'Anulează' }).click()
    await expect(warning(page), label).toBeVisible()
    await page.getByRole('button', { name: 'Renunță la modificări' }).click()
    await expect(sheet(page)).toBeHidden()
  }

  // Also while the field still has the focus.
  await open(page)
  const day = page.getByRole('textbox', { name: 'Data' })
  await day.pressSequentially('3.4')
  await page.keyboard.press('Escape')
  await expect(warning(page)).toBeVisible()
  await page.getByRole('button', { name: 'Continuă editarea' }).click()
  await expect(day).toHaveValue('3.4')
  await day.fill('')
  const colour = page.getByRole('combobox', { name: 'Culoare' })
  await colour.fill('verde')
  await expect(page.getByText('Nimic găsit')).toBeVisible()
  const requested = page.waitForEvent('dialog')
  const reload = page.evaluate(() => location.reload())
  await (await requested).dismiss()
  await reload
  // The field has its stored value again.
  await colour.fill('Roșu')
  await colour.press('Tab')
  await page.getByRole('button', { name: 'Anulează' }).click()
  await expect(sheet(page)).toBeHidden()
})

test('a form that starts with unsaved values asks too', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: 'completată' })
  await open(page)
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('din trimitere')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Renunță la modificări' }).click()
  await expect(sheet(page)).toBeHidden()
})

test('a saved form closes without a question and opens empty', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Nume' }).fill('')
  await save(page)
  await expect(page.getByText('Nume este necesar.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Nume' }).fill('Georgescu')
  await save(page)
  await response(page, 'salvat')
  await expect(sheet(page)).toBeHidden()
  await expect(warning(page)).toBeHidden()
  expect(await sent(page)).toEqual([{ surname: 'Georgescu', email: 'ana@exemplu.ro', note: '', version: 1 }])

  await open(page)
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Popescu')
  await expect(page.getByText('Nume este necesar.')).toBeHidden()
  await expect(page.getByRole('alert')).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
})

test('after a concurrent save, other values are merged, own values stay, conflicts are listed, and saving continues', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Nume' }).fill('Georgescu')
  await page.getByRole('textbox', { name: 'Notă' }).fill('scrisă aici')
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(1)
  await response(page, 'conflict')
  await expect(page.getByRole('alert')).toHaveText(
    'Altcineva a salvat între timpCe este scris aici a rămas; în rest sunt valorile noi. Amândoi ați schimbat „Nume” și „Notă”: la salvare rămâne ce este acum în formular.',
  )
  const lines = page.getByRole('list', { name: 'Ce ați schimbat amândoi' }).getByRole('listitem')
  await expect(lines).toContainText([
    'Nume, varianta salvată: „Ionescu”',
    'Notă, varianta salvată: „de altcineva”',
  ])
  const take = page.getByRole('button', { name: 'Ia varianta salvată: Nume' })
  await expect(take).toHaveAccessibleDescription('Nume, varianta salvată: „Ionescu”')
  await take.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Ionescu')
  const back = page.getByRole('button', { name: 'Înapoi la varianta mea: Nume' })
  await expect(back).toBeFocused()
  // Text typed into either value is kept while the other is shown.
  await page.getByRole('textbox', { name: 'Nume' }).fill('Ionescu-Pop')
  await back.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Georgescu')
  await page.getByRole('textbox', { name: 'Nume' }).fill('Georgescu-Pop')
  await take.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Ionescu-Pop')
  await back.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Georgescu-Pop')
  await expect(page.getByLabel('E-mail')).toHaveValue('noua@exemplu.ro')
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('scrisă aici')

  await page.keyboard.press('Escape')
  await expect(warning(page)).toBeVisible()
  await page.getByRole('button', { name: 'Continuă editarea' }).click()
  // A save that fails for another reason keeps the choice.
  await page.getByRole('button', { name: 'Ia varianta salvată: Notă' }).click()
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(2)
  await response(page, 'eroare')
  await expect(page.getByText('Instituția nu mai există.')).toBeVisible()
  await page.getByRole('button', { name: 'Înapoi la varianta mea: Notă' }).click()
  await expect(page.getByRole('textbox', { name: 'Notă' })).toHaveValue('scrisă aici')
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(3)
  expect((await sent(page))[2]).toEqual({
    surname: 'Georgescu-Pop',
    email: 'noua@exemplu.ro',
    note: 'scrisă aici',
    version: 2,
  })
  // The next conflict covers later changes.
  await response(page, 'conflict')
  await expect(lines).toHaveCount(0)
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(4)
  await response(page, 'salvat')
  await expect(sheet(page)).toBeHidden()
})

test('grouped fields are merged together after a conflict, and the values of a CNP follow it', async ({
  openStory,
}) => {
  const page = await openStory('forms/form-sheet', { state: 'cu câmpuri legate' })
  await open(page)
  const cnp = page.getByRole('textbox', { name: 'CNP' })
  const birthDate = page.getByRole('textbox', { name: 'Data nașterii' })
  const locality = page.getByRole('combobox', { name: 'Localitate' })
  const lines = page.getByRole('list', { name: 'Ce ați schimbat amândoi' }).getByRole('listitem')
  await birthDate.fill('01.02.1999')
  await locality.fill('Gherla')
  await locality.press('Tab')
  await save(page)
  // Only the locality was changed here; it is meaningless in another county.
  await expect(lines).toHaveText([/^Județ, varianta salvată: Iași\s*Localitate, varianta salvată: Pașcani/])
  await expect(cnp).toHaveValue('1630615123457')
  await expect(birthDate).toHaveValue('15.06.1963')
  await expect(birthDate).toBeDisabled()

  await page.getByRole('button', { name: 'Ia varianta salvată: Județ și Localitate' }).click()
  await expect(page.getByText('Iași', { exact: true }).first()).toBeVisible()
  await expect(locality).toHaveValue('Pașcani')
  await locality.fill('Podu Iloaiei')
  await locality.press('Tab')
  await page.getByRole('button', { name: 'Înapoi la varianta mea: Județ și Localitate' }).click()
  await expect(locality).toHaveValue('Gherla')
  await page.getByRole('button', { name: 'Ia varianta salvată: Județ și Localitate' }).click()
  await expect(locality).toHaveValue('Podu Iloaiei')

  // With a changed CNP too, the day is not chosen alone.
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Renunță la modificări' }).click()
  await open(page)
  await cnp.fill('2850101123453')
  await save(page)
  await expect(lines).toHaveText([/^CNP, varianta salvată: /])
  await page.getByRole('button', { name: 'Ia varianta salvată: CNP' }).click()
  await expect(birthDate).toHaveValue('15.06.1963')
  await page.getByRole('button', { name: 'Înapoi la varianta mea: CNP' }).click()
  await expect(cnp).toHaveValue('2850101123453')
  await expect(birthDate).toHaveValue('01.01.1985')
})

test('a conflict in other fields lists none', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await save(page)
  await response(page, 'conflict')
  await expect(page.getByRole('alert')).toHaveText(
    'Altcineva a salvat între timpCe este scris aici a rămas; în rest sunt valorile noi. Rămâne de verificat și de salvat.',
  )
  await expect(page.getByRole('list', { name: 'Ce ați schimbat amândoi' })).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Nume' })).toHaveValue('Ionescu')
  // The other user's values are stored: nothing would be lost.
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toBeHidden()
})

test('a form cannot be closed while it is sent, since the result is unknown', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: SHEET })
  await open(page)
  await page.getByRole('textbox', { name: 'Nume' }).fill('Ionescu')
  await save(page)
  await expect.poll(() => sent(page)).toHaveLength(1)
  await expect(sheet(page).getByRole('button', { name: 'Anulează' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(sheet(page)).toBeVisible()
})

test('a form in a dialog over another form is independent of it', async ({ openStory }) => {
  const page = await openStory('forms/form-sheet', { state: 'cu alt formular peste ea' })
  await open(page)
  await page.getByRole('button', { name: 'Adaugă o clinică' }).click()
  const clinic = page.getByLabel('Denumire')
  await clinic.press('Enter')
  await expect(page.getByText('Denumire este necesar.')).toBeVisible()
  await clinic.fill('Clinica Sud')
  await clinic.press('Control+Enter')
  await expect(clinic).toHaveAccessibleDescription('Clinica există deja.')
  await expect(clinic).toBeFocused()
  await clinic.fill('Clinica Nord')
  await clinic.press('Control+Enter')
  await expect(page.getByText('Adăugată: Clinica Nord')).toBeVisible()
  expect(await sent(page)).toEqual([])
  await save(page)
  await expect
    .poll(() => sent(page))
    .toEqual([{ surname: 'Popescu', email: 'ana@exemplu.ro', note: '', version: 1 }])
})

for (const state of [SHEET, 'în mijlocul paginii']) {
  test(`${state}: accessible and on a phone, in both modes [1.4]`, async ({ openStory }) => {
    const viewport = { width: 360, height: 740 }
    const page = await openStory('forms/form-sheet', { state, viewport })
    await open(page)
    await page.getByRole('textbox', { name: 'Nume' }).fill('')
    await save(page)
    await expect(page.getByText('Nume este necesar.')).toBeVisible()
    await expectAccessibleInBothModes(page)
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(scrollWidth).toBeLessThanOrEqual(viewport.width)
  })
}
