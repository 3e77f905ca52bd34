import { randomBytes } from 'node:crypto'
import { makePatient } from '../../db/factories.ts'
import { REGISTRAR } from '../harness/accounts.ts'
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
