import { makeInstitution, makePatient, makeReferral } from '../../db/factories.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION } from '../harness/accounts.ts'
import { makePerson, type Person } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

const INBOX = 'Rezultatele pacienților dumneavoastră'
const STILL = { reducedMotion: 'reduce' as const }
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Makes a user of these institutions. */
async function makeMember(product: Product, institutionIds: readonly string[]): Promise<Person> {
  const person = await makePerson(product, INSTITUTION)
  await product.db
    .insertInto('user_institution')
    .values(institutionIds.map((institution_id) => ({ user_id: person.id, institution_id })))
    .execute()
  return person
}

test('an institution is suspended and reactivated by keyboard, and the open pages of its users follow', async ({
  open,
  product,
}) => {
  const { db } = product
  const [ours, other] = [
    await makeInstitution(db, { name: 'Cabinetul Suspendat' }),
    await makeInstitution(db, { name: 'Cabinetul Rămas' }),
  ]
  const patient = await makePatient(db)
  for (const { id } of [ours, other]) await makeReferral(db, { patient_id: patient.id, institution_id: id })
  const [person, both] = [
    await makeMember(product, [ours.id]),
    await makeMember(product, [ours.id, other.id]),
  ]
  const [admin, alone, shared] = [
    await open(ADMIN, STILL),
    await open(person.email, STILL),
    await open(both.email, STILL),
  ]
  await alone.goto('/institution')
  await shared.goto('/institution?tab=profil')
  await expect(shared.getByRole('heading', { name: ours.name })).toBeVisible()
  await expect(title(alone, INBOX)).toBeVisible()

  await admin.goto(`/institutions/${ours.id}`)
  await button(admin, 'Suspendă instituția').press('Enter')
  const dialog = admin.getByRole('alertdialog', { name: `Suspenzi ${ours.name}?` })
  await expect(dialog.getByText('1 persoană își pierde accesul pe loc')).toBeVisible()
  await expect(dialog.getByText('1 persoană lucrează și pentru altă instituție')).toBeVisible()
  await expectAccessibleInBothModes(admin)
  await button(dialog, 'Suspendă instituția').press('Enter')

  await expect(title(alone, 'Sesiune încheiată')).toBeVisible()
  await expect(shared.getByRole('heading', { name: ours.name })).toHaveCount(0)
  await expect(shared.getByRole('heading', { name: other.name })).toBeVisible()
  await expect(admin.getByText(/^Suspendată din /)).toBeVisible()
  await expect(admin.getByText('Instituție suspendată')).toHaveCount(1)
  await expect(button(admin, 'Reactivează')).toBeFocused()
  await expectAccessibleInBothModes(admin)

  const signIn = async () => {
    await alone.goto('/')
    await alone.getByLabel('E-mail', { exact: true }).fill(person.email)
    await alone.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
    await button(alone, 'Autentificare').click()
  }
  await signIn()
  await expect(alone.getByText('Adresa sau parola nu sunt corecte.')).toBeVisible()

  await admin.goto(`/patients/${patient.id}`)
  await expect(admin.getByText('instituție suspendată')).toBeVisible()
  await button(admin, 'Adaugă trimitere').click()
  const referral = admin.getByRole('dialog', { name: 'Adaugă trimitere' })
  await referral.getByRole('combobox', { name: 'Instituția' }).fill('Cabinetul')
  await expect(admin.getByRole('option', { name: other.name })).toBeVisible()
  await expect(admin.getByRole('option', { name: ours.name })).toHaveCount(0)

  await admin.goto('/institutions?q=cabinetul')
  await expect(admin.getByRole('row', { name: /Cabinetul Suspendat/ })).toContainText('Suspendată')
  await admin.getByRole('link', { name: ours.name }).click()
  await button(admin, 'Reactivează').press('Enter')
  await expect(button(admin, 'Suspendă instituția')).toBeFocused()
  await expect(shared.getByRole('heading', { name: ours.name })).toBeVisible()
  await signIn()
  await expect(title(alone, INBOX)).toBeVisible()
})
