import { makePatient, makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { makeCnp } from '../../shared/romania/cnp.ts'
import { ADMIN, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const INCOMPLETE = 'Pare rău, unele câmpuri nu sunt corect completate.'

const cnpOf = (serial: number) =>
  makeCnp({ sex: 'female', birthDate: '1990-02-17', county: 12, serial: 100 + serial })
const box = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog')
/** The button of a dropdown, by its choice and its label. */
const choice = (page: Page, label: string) =>
  page.getByRole('button', { name: new RegExp(`(?<!: )${label}$`) })

test('a registrar adds a patient by keyboard: the CNP fills in birth date and sex, the address is chosen [3.10] [5.4]', async ({
  open,
  product,
}) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  await expect(box(page, 'CNP')).toBeFocused()
  await page.keyboard.type(cnpOf(1))
  await expect(box(page, 'Data nașterii')).toHaveValue('17.02.1990')
  await expect(box(page, 'Data nașterii')).toBeDisabled()
  await expect(choice(page, 'Sex')).toContainText('Feminin')

  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText(INCOMPLETE)
  await expect(page.getByText('Prenume este necesar.')).toBeVisible()
  await expect(box(page, 'Nume')).toBeFocused()
  await page.keyboard.type('Țurcanu')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Formularia')
  await box(page, 'Telefon').fill('0040 722.123.456')
  await choice(page, 'Județ').press('Enter')
  await page.keyboard.type('bistri')
  await page.keyboard.press('Enter')
  await expect(choice(page, 'Județ')).toContainText('Bistrița-Năsăud')
  await page.getByRole('combobox', { name: 'Localitate' }).fill('nasaud')
  await page.getByRole('option', { name: 'Năsăud', exact: true }).click()
  // The last letter and Enter at once: the sent text is the text of the field.
  await box(page, 'Adresă').pressSequentially('Str. Morii 3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: /Formularia/ })).toBeVisible()
  const stored = await product.db
    .selectFrom('patient')
    .select(['cnp', 'birth_date', 'sex', 'phone', 'county', 'locality', 'address'])
    .where('given_names', '=', 'Formularia')
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({
    cnp: cnpOf(1),
    birth_date: '1990-02-17',
    sex: 'female',
    phone: '+40722123456',
    county: 'Bistrița-Năsăud',
    locality: 'Năsăud',
    address: 'Str. Morii 3',
  })
})

test('a CNP of an existing patient leads to that patient instead of a second record', async ({
  open,
  product,
}) => {
  const known = await makePatient(product.db, { cnp: cnpOf(2), surname: 'Avram', given_names: 'Cunoscuta' })
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  await expect(box(page, 'CNP')).toBeFocused()
  await page.keyboard.type(known.cnp!)
  await expect(page.getByText('Pacientul există deja')).toBeVisible()
  await expect(sheet(page).getByRole('button', { name: 'Adaugă pacient' })).toBeDisabled()
  await page.keyboard.press('Backspace')
  await expect(page.getByText('Pacientul există deja')).toBeHidden()
  await page.keyboard.type(known.cnp!.slice(-1))
  await page.getByRole('button', { name: 'Deschide pacientul' }).click()
  // No question about unsaved text: it is stored already.
  await expect(page.getByRole('heading', { level: 1, name: /Cunoscuta/ })).toBeVisible()
})

test('two users change one patient: no change is lost, and conflicts are listed', async ({
  open,
  product,
}) => {
  const patient = await makePatient(product.db, {
    surname: 'Dobre',
    given_names: 'Anica',
    notes: null,
    county: 'Iași',
    locality: 'Pașcani',
  })
  const edit = async (page: Page) => {
    await page.goto(`/patients/${patient.id}`)
    await page.getByRole('button', { name: 'Editează', exact: true }).first().click()
    await expect(box(page, 'Nume')).toHaveValue('Dobre')
  }
  const [first, second] = [await open(REGISTRAR), await open(ADMIN)]
  await edit(first)
  await edit(second)
  await box(second, 'E-mail').fill('anica@exemplu.ro')
  await box(second, 'Note').fill('Sună după prânz.')
  await choice(second, 'Județ').press('Enter')
  await second.keyboard.type('brasov')
  await second.keyboard.press('Enter')
  const locality = second.getByRole('combobox', { name: 'Localitate' })
  await expect(locality, 'is in another county').toHaveValue('')
  // A complete name and Tab make a choice.
  await locality.pressSequentially('sacele')
  await expect(second.getByRole('option', { name: 'Săcele', exact: true })).toBeVisible()
  await second.keyboard.press('Tab')
  await expect(locality).toHaveValue('Săcele')
  await sheet(second).getByRole('button', { name: 'Salvează' }).click()
  await expect(sheet(second)).toBeHidden()

  await box(first, 'Nume anterior').fill('Ionescu')
  await box(first, 'Note').fill('Vine cu fiica.')
  await sheet(first).getByRole('button', { name: 'Salvează' }).click()
  await expect(first.getByRole('alert')).toContainText('Amândoi ați schimbat „Note”')
  await expect(box(first, 'E-mail')).toHaveValue('anica@exemplu.ro')
  await expect(first.getByRole('combobox', { name: 'Localitate' })).toHaveValue('Săcele')
  await expect(box(first, 'Note')).toHaveValue('Vine cu fiica.')
  await sheet(first).getByRole('button', { name: 'Salvează' }).click()
  await expect(sheet(first)).toBeHidden()
  const stored = await product.db
    .selectFrom('patient')
    .select(['email', 'notes', 'previous_surname', 'county', 'locality'])
    .where('id', '=', patient.id)
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({
    email: 'anica@exemplu.ro',
    notes: 'Vine cu fiica.',
    previous_surname: 'Ionescu',
    county: 'Brașov',
    locality: 'Săcele',
  })
})

test('an administrator adds an institution; a server error appears under its field [5.5]', async ({
  open,
}) => {
  const page = await open(ADMIN)
  await page.goto('/institutions')
  await page.getByRole('button', { name: 'Adaugă', exact: false }).first().click()
  await box(page, 'Denumire').fill('Clinica Formularelor')
  await box(page, 'Cod').fill('SME')
  await box(page, 'CUI').fill('18547291')
  await choice(page, 'Tip').press('Enter')
  await page.getByRole('option', { name: 'Clinică' }).click()
  await sheet(page).getByRole('button', { name: 'Adaugă' }).click()
  await expect(page.getByRole('alert')).toContainText(INCOMPLETE)
  await expect(page.getByText(/cifra de control/)).toBeVisible()
  await box(page, 'CUI').fill('RO 18547290')
  await sheet(page).getByRole('button', { name: 'Adaugă' }).click()
  // Another institution has the code.
  await expect(box(page, 'Cod')).toBeFocused()
  await expect(box(page, 'Cod')).toHaveAttribute('aria-invalid', 'true')
  await box(page, 'Cod').fill('CFO')
  await sheet(page).getByRole('button', { name: 'Adaugă' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Clinica Formularelor' })).toBeVisible()
})

test('a CNP that is deleted removes the values that it filled in, and unlocks their fields', async ({
  open,
}) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  await box(page, 'Data nașterii').fill('03.05.1991')
  await box(page, 'CNP').fill(cnpOf(3))
  await expect(box(page, 'Data nașterii')).toHaveValue('17.02.1990')
  await expect(box(page, 'Data nașterii')).toBeDisabled()
  await box(page, 'CNP').fill('')
  await expect(box(page, 'Data nașterii')).toHaveValue('03.05.1991')
  await expect(choice(page, 'Sex')).toContainText('Alege')
  await expect(choice(page, 'Sex')).toBeEnabled()
  await expect(page.getByText('Din CNP')).toHaveCount(0)
  await box(page, 'Data nașterii').fill('04.05.1991')
})

test('a text that is no choice does not save the previous choice', async ({ open, product }) => {
  const patient = await makePatient(product.db, { surname: 'Lupu', given_names: 'Ileana' })
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const upload = await makeUpload(product.db, storage, { patient_id: patient.id, state: 'in_review' })
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${upload.id}`)
  await page.getByRole('button', { name: 'Editează' }).first().click()
  const field = page.getByRole('combobox', { name: 'Pacient' })
  await expect(field).toHaveValue('Lupu Ileana')
  await field.fill('Nimeni Cu Acest Nume')
  // By its text: while the list is open, React Aria hides everything around it from roles.
  await page.locator('button', { hasText: 'Salvează' }).click()
  await expect(page.getByText('„Nimeni Cu Acest Nume” nu este ales. Alege un rând din listă.')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText(INCOMPLETE)
  await expect(sheet(page)).toBeVisible()
})

test('a form asks before typed text is lost', async ({ open }) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  // Keys typed while the machine was busy arrive all at once.
  await box(page, 'Nume').evaluate((field: HTMLInputElement) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
    set!.call(field, 'Pe jumătate')
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await page.getByRole('button', { name: 'Continuă editarea' }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(box(page, 'Nume')).toHaveValue('Pe jumătate')
  // Also with the focus in a dropdown.
  await choice(page, 'Sex').focus()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Renunță la modificări' }).click()
  await expect(sheet(page)).toBeHidden()
})
