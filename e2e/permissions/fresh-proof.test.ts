import { readFile } from 'node:fs/promises'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, DEMO_PASSWORD } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Confirmarea identității' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Makes the sign-in of a user ten minutes old. */
const ageProof = ({ db }: Product, userId: string) =>
  db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - 600_000) })
    .where('user_id', '=', userId)
    .execute()

test('an invitation from a session without a fresh proof asks for the password and loses nothing', async ({
  open,
  product,
}) => {
  const person = await makePerson(product, ADMIN)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await page.goto('/admin?tab=conturi')
  await button(page, 'Invită o persoană').click()
  await ageProof(product, person.id)
  const sheet = page.getByRole('dialog', { name: 'Invită o persoană' })
  const address = `invitat-${person.id.slice(-6)}@dosar.test`
  await sheet.getByRole('textbox', { name: 'Nume', exact: true }).fill('Anemona Ștefan')
  await sheet.getByRole('textbox', { name: 'E-mail', exact: true }).fill(address)
  await sheet.getByText('Personal', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Invită', exact: true }).click()

  const password = dialog(page).getByLabel('Parola contului', { exact: true })
  await expect(password).toBeFocused()
  await expectAccessibleInBothModes(page)
  // Without a proof nothing happens, and the form is as it was.
  await button(page, 'Anulează').last().click()
  await expect(sheet.getByText('identitatea trebuie dovedită din nou')).toBeVisible()
  await expect(sheet.getByRole('textbox', { name: 'Nume', exact: true })).toHaveValue('Anemona Ștefan')

  await sheet.getByRole('button', { name: 'Invită', exact: true }).click()
  await password.fill('greșită')
  await button(page, 'Confirmă').click()
  await expect(dialog(page).getByText('Parola nu este corectă.')).toBeVisible()
  await password.fill(DEMO_PASSWORD)
  await password.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Anemona Ștefan are o invitație' })).toBeVisible()
  const { status } = await product.db
    .selectFrom('app_user')
    .select('status')
    .where('email', '=', address)
    .executeTakeFirstOrThrow()
  expect(status).toBe('invited')
})

test('the export of the audit log asks for the password, then downloads the file', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/403/)
  const person = await makePerson(product, ADMIN)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await page.goto('/logs')
  await ageProof(product, person.id)
  await button(page, 'Exportă CSV').click()
  await button(page, 'Anulează').click()
  const notice = page.getByRole('alertdialog').filter({ hasText: 'Lista nu a fost descărcată' })
  await expect(notice).toContainText('identitatea trebuie dovedită din nou')
  await notice.getByRole('button', { name: 'Închide' }).click()

  await button(page, 'Exportă CSV').click()
  await dialog(page).getByLabel('Parola contului', { exact: true }).fill(DEMO_PASSWORD)
  const download = page.waitForEvent('download')
  await button(page, 'Confirmă').click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('a dovedit din nou')
  await expect(dialog(page)).toHaveCount(0)
})
