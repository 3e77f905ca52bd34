import { randomBytes } from 'node:crypto'
import { makePatient } from '../../db/factories.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

/** Begins a batch with text files, and waits until they were read. */
async function sendFiles(page: Page, files: Record<string, string>): Promise<void> {
  await page.goto('/bulk')
  await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  )
  await expect(page.getByText('se citește')).toHaveCount(0)
  for (const name of Object.keys(files))
    await expect(row(page, name)).toContainText(/sigur|necunoscut|probabil|conflict/)
}

/** A surname that no other patient has, of letters alone: with digits it is read as no name. */
const uniqueSurname = () =>
  `Zărn${[...randomBytes(6)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}escu`

test('a namesake is named in the form of a new patient by the name alone, and is chosen there', async ({
  open,
  product,
}) => {
  const surname = uniqueSurname()
  const known = await makePatient(product.db, {
    surname,
    given_names: 'Ilinca',
    cnp: null,
    birth_date: '1980-02-03',
  })
  const page = await open(REGISTRAR)
  await sendFiles(page, { 'analiza.txt': `Pacient: ${surname} Ilinca\nvalori în limite ${surname}` })
  await row(page, 'analiza.txt')
    .getByRole('button', { name: /Mai mult/ })
    .press('Enter')
  await page.getByRole('menuitem', { name: 'Pacient nou' }).press('Enter')
  const sheet = page.getByRole('dialog', { name: 'Pacient nou' })
  await expect(sheet.getByRole('textbox', { name: 'Nume', exact: true })).toHaveValue(surname)
  const notice = sheet.getByRole('status').filter({ hasText: `Poate există deja: ${surname}` })
  await expect(notice).toContainText('03.02.1980')
  await expect(notice).toBeInViewport()
  await notice.getByRole('button', { name: 'Alege pacientul' }).press('Enter')
  await expect(row(page, 'analiza.txt')).toContainText(`nr. ${known.number}`)
  await expect(row(page, 'analiza.txt')).toContainText('ales')
  await expect(row(page, 'analiza.txt')).toBeFocused()
})

test('the focus is on a row after files were chosen and forms closed, and leaves an empty list for its tab', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const text = `Hemoleucogramă\nPacient: ${patient.name}\nCNP: ${patient.cnp}\nhemoglobina 14\n`
  const page = await open(REGISTRAR)
  await sendFiles(page, { '1 una.txt': text, '2 alta.txt': 'valori în limite' })
  await expect(row(page, '1 una.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  for (const item of ['Editează și trimite', 'Pacient nou', 'Scoate din lot']) {
    await row(page, '2 alta.txt')
      .getByRole('button', { name: /Mai mult/ })
      .press('Enter')
    await page.getByRole('menuitem', { name: item }).press('Enter')
    const form = page.getByRole('dialog').or(page.getByRole('alertdialog', { name: /Scoți/ }))
    await expect(form).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(row(page, '2 alta.txt')).toBeFocused()
  }
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Închide fișierele' }).click()
  await expect(row(page, '2 alta.txt')).toBeFocused()
  await page.getByRole('tab', { name: /Sigure/ }).click()
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Niciun grup aici')).toBeVisible()
  await expect(page.getByRole('tab', { name: /Sigure/ })).toBeFocused()
})

test('Enter without a patient keeps the proposals and says why; without an institution it asks once', async ({
  open,
  product,
}) => {
  const surname = uniqueSurname()
  for (let count = 0; count < 2; count += 1)
    await makePatient(product.db, { surname, given_names: 'Ilinca', cnp: null, birth_date: '1980-02-03' })
  const page = await open(REGISTRAR)
  const text = `Hemoleucogramă\nPacient: ${surname} Ilinca\nData nașterii: 03.02.1980\nhemoglobina 14`
  await sendFiles(page, { '1 una.txt': text, '2 alta.txt': `${text}\npagina 2` })
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nu s-a ales nimeni')).toBeVisible()
  await expect(row(page, '1 una.txt').getByText(`${surname} Ilinca?`)).toHaveCount(2)
  const choose = async () => {
    await expect(page.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('option', { name: `${surname} Ilinca` })).toHaveCount(2)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await choose()
  await expect(row(page, '1 una.txt')).toContainText('ales')

  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Trimiți fără instituție?' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /Trimise/ })).not.toContainText(/\d/)
  await row(page, '1 una.txt').focus()
  await page.keyboard.press('Enter')
  await expect(question).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText('1')
  // The answer is the same for the next row.
  await row(page, '2 alta.txt').focus()
  await page.keyboard.press('Enter')
  await choose()
  await expect(row(page, '2 alta.txt')).toContainText('ales')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: /Trimise/ })).toContainText('2')
})
