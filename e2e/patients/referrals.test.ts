import { makeEmptyUpload, makePatient, makeReferral } from '../../db/factories.ts'
import { newId } from '../../server/platform/ids.ts'
import { INSTITUTION, OTHER_INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const institutionOf = ({ db }: Product, email: string) =>
  db
    .selectFrom('app_user')
    .innerJoin('user_institution', 'user_id', 'app_user.id')
    .innerJoin('institution', 'institution.id', 'institution_id')
    .select(['institution.id', 'institution.name'])
    .where('app_user.email', '=', email)
    .executeTakeFirstOrThrow()

/** Makes a patient whom the institution has referred, with a result that was released to it. */
async function makeReferred(product: Product, institutionId: string) {
  const surname = `Trimisescu${newId().replaceAll(/[^a-f]/g, '')}`
  const patient = await makePatient(product.db, { surname, given_names: 'Ana', cnp: null })
  const referral = { patient_id: patient.id, institution_id: institutionId, doctor: 'Dr. Vechi' }
  await makeReferral(product.db, referral)
  const title = `Rezultat ${surname}`
  await makeEmptyUpload(product.db, {
    patient_id: patient.id,
    institution_id: institutionId,
    state: 'released',
    title,
  })
  return { id: patient.id, name: `${surname} Ana`, title }
}

/** Opens the menu of the institution's referral by keyboard and chooses. */
async function choose(page: Page, institution: string, action: string) {
  await page.getByRole('button', { name: `Trimiterea de la ${institution}` }).press('Enter')
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

test('a referral is ended, found to be a mistake and opened again, and the open page of the institution follows', async ({
  open,
  product,
}) => {
  const own = await institutionOf(product, INSTITUTION)
  const patient = await makeReferred(product, own.id)
  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  await expect(institution.getByText(patient.title)).toBeVisible()
  const page = await open(REGISTRAR, { viewport: { width: 360, height: 740 } })
  await page.goto(`/patients/${patient.id}`)

  await choose(page, own.name, 'Încheie')
  const end = page.getByRole('dialog', { name: 'Încheie trimiterea' })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await end.getByRole('button', { name: 'Încheie trimiterea' }).click()
  await expect(page.getByText('Trimiterea a fost încheiată')).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: own.name })).toContainText('încheiată')
  // What was released before the end stays.
  await institution.reload()
  await expect(institution.getByText(patient.title)).toBeVisible()

  await choose(page, own.name, 'Editează')
  const edit = page.getByRole('dialog', { name: 'Editează trimiterea' })
  await edit.getByRole('checkbox', { name: 'A fost adăugată din greșeală' }).press(' ')
  await edit.getByRole('button', { name: 'Salvează' }).click()
  await expect(page.getByText('adăugată din greșeală')).toBeVisible()
  await expect(institution.getByText(patient.title)).toHaveCount(0)

  await choose(page, own.name, 'Redeschide')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Redeschide' }).press('Enter')
  await expect(page.getByText('Trimiterea a fost redeschisă')).toBeVisible()
  await expect(page.getByText('adăugată din greșeală')).toHaveCount(0)
  await institution.reload()
  await expect(institution.getByText(patient.title)).toBeVisible()
})

test('a referral gets the right institution, and a change of a colleague meanwhile is merged', async ({
  open,
  product,
  expectError,
}) => {
  const [own, other] = [
    await institutionOf(product, INSTITUTION),
    await institutionOf(product, OTHER_INSTITUTION),
  ]
  const patient = await makeReferred(product, own.id)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  await choose(page, own.name, 'Editează')
  const edit = page.getByRole('dialog', { name: 'Editează trimiterea' })
  const institution = edit.getByRole('combobox', { name: 'Instituția' })
  await expect(institution).toHaveValue(own.name)
  // A colleague changes the doctor.
  await product.db
    .updateTable('referral')
    .set({ doctor: 'Dr. Nou', version: 2 })
    .where('patient_id', '=', patient.id)
    .execute()
  await institution.fill(other.name)
  await page.getByRole('option', { name: other.name }).click()
  await expect(edit.getByText(`${own.name} nu mai vede nimic prin această trimitere`)).toBeVisible()
  expectError(/CONFLICT|409/)
  await edit.getByRole('button', { name: 'Salvează' }).click()
  await expect(edit.getByRole('textbox', { name: 'Medic trimițător' })).toHaveValue('Dr. Nou')
  await edit.getByRole('button', { name: 'Salvează' }).click()

  await expect(page.getByText('Instituția nu mai vede')).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: 'Dr. Nou' })
  await expect(card).toContainText(other.name)
})
