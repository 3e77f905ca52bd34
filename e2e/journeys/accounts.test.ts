import { makeInstitution, makeUser } from '../../db/factories.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

const PASSWORD = 'patru cai verzi pe pereți'
const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' as const }

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const sheet = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
/** Returns a link of the page's navigation. */
const place = (page: Page, name: string) =>
  page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${name}`) })
const choice = (within: Locator, name: string) => within.getByText(name, { exact: true })

async function openAccount(page: Page, email: string, name: string): Promise<Locator> {
  await page.goto(`/admin?tab=conturi&q=${encodeURIComponent(email)}`)
  await page.getByRole('link', { name }).click()
  const opened = sheet(page, name)
  await expect(opened.getByRole('heading', { name: 'Acces' })).toBeVisible()
  return opened
}

test('an invited user signs in by a copied link and sees the screens of the role', async ({ open }) => {
  const admin = await open(ADMIN, CLIPBOARD)
  await admin.goto('/admin?tab=conturi')
  const accounts = admin.getByRole('table', { name: 'Conturi' })
  await expect(accounts).toContainText('@dosar.test')
  await expectAccessibleInBothModes(admin)
  // Other tests have made more accounts than the first answer holds.
  const search = admin.getByRole('searchbox', { name: 'Caută conturi' })
  await search.fill(REGISTRAR)
  await expect(accounts.getByRole('row')).toHaveCount(2)
  await expect(accounts).toContainText(REGISTRAR)
  await search.fill('')

  await button(admin, 'Invită o persoană').click()
  const invite = sheet(admin, 'Invită o persoană')
  await expect(field(invite, 'Nume')).toBeFocused()
  await button(invite, 'Invită').click()
  await expect(invite.getByText('E-mail este necesar.')).toBeVisible()
  await field(invite, 'Nume').fill('Sânziana Dragoș')
  await field(invite, 'E-mail').fill(ADMIN)
  await choice(invite, 'Personal').click()
  await choice(invite, 'Fișierele pacienților').click()
  await expectAccessibleInBothModes(admin)
  await button(invite, 'Invită').click()
  await expect(invite.getByText('Există deja un cont cu această adresă.')).toBeVisible()
  await field(invite, 'E-mail').fill('sanziana@dosar.test')
  await button(invite, 'Invită').click()

  const made = sheet(admin, 'Sânziana Dragoș are o invitație')
  await expect(made.getByText('Nu pleacă niciun e-mail')).toBeVisible()
  await expectAccessibleInBothModes(admin)
  await button(made, 'Copiază').click()
  await expect(button(made, 'Copiat')).toBeVisible()
  const link = await admin.evaluate(() => navigator.clipboard.readText())
  await button(made, 'Gata').press('Enter')
  await expect(button(admin, 'Invită o persoană')).toBeFocused()
  await search.fill('sanziana@dosar.test')
  const row = admin.getByRole('row', { name: /Sânziana Dragoș/ })
  await expect(row).toContainText('Invitat')
  await expect(admin.getByText(link)).toHaveCount(0)

  const person = await open(null, { reducedMotion: 'reduce' })
  await person.goto(link)
  await person.getByLabel('Parola nouă', { exact: true }).fill(PASSWORD)
  await button(person, 'Salvează parola').click()
  await expect(place(person, 'Pacienți')).toBeVisible()
  await expect(place(person, 'Verificare')).toHaveCount(0)
  await expect(place(person, 'Administrare')).toHaveCount(0)
})

test('an open page follows its user’s rights, and is signed out on suspension', async ({ open, product }) => {
  const { email, name } = await makePerson(product, REGISTRAR)
  const [admin, person] = [await open(ADMIN, { reducedMotion: 'reduce' }), await open(email)]
  await person.goto('/patients')
  await expect(place(person, 'Pacienți')).toBeVisible()
  await expect(place(person, 'Verificare')).toHaveCount(0)
  await person.evaluate(() => Object.assign(window, { isTheSamePage: true }))

  const account = await openAccount(admin, email, name)
  await expect(account.getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBothModes(admin)
  await button(account, 'Editează').click()
  const edit = sheet(admin, `Editează: ${name}`)
  await choice(edit, 'Verificare').click()
  await expectAccessibleInBothModes(admin)
  await button(edit, 'Salvează').click()
  await expect(account.getByText('fișierele pacienților, verificare')).toBeVisible()
  await expect(place(person, 'Verificare')).toBeVisible()
  expect(await person.evaluate(() => 'isTheSamePage' in window)).toBe(true)

  await button(account, 'Suspendă contul').press('Enter')
  await expect(title(person, 'Sesiune încheiată')).toBeVisible()
  await expect(account.getByText('Suspendat', { exact: true })).toBeVisible()
  // The focus stays at the result.
  await admin.keyboard.press('Tab')
  await expect(button(account, 'Reactivează contul')).toBeFocused()
  await expect(account.getByText('Nicio sesiune deschisă.')).toBeVisible()
  await expectAccessibleInBothModes(admin)
  const toast = admin.getByRole('alertdialog').filter({ hasText: `Contul „${name}” este suspendat` })
  await button(toast, 'Anulează').click()
  await expect(account.getByText('Activ', { exact: true })).toBeVisible()

  await person.goto('/')
  await person.getByLabel('E-mail', { exact: true }).fill(email)
  await person.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
  await button(person, 'Autentificare').click()
  await expect(place(person, 'Verificare')).toBeVisible()
})

test('the last administrator sees why they cannot lock themselves out', async ({ open, client }) => {
  const admin = await open(ADMIN)
  await admin.goto('/admin?tab=conturi&role=admin')
  await admin.getByRole('link', { name: /Ruxandra Olteanu/ }).click()
  const own = sheet(admin, 'Ruxandra Olteanu')
  await expect(own.getByText('îl poate suspenda doar alt administrator')).toBeVisible()
  await expect(button(own, 'Suspendă contul')).toHaveCount(0)
  await button(own, 'Editează').click()
  const edit = sheet(admin, 'Editează: Ruxandra Olteanu')
  await expect(edit.getByText('le poate schimba doar alt administrator')).toBeVisible()
  await expect(edit.getByRole('radio')).toHaveCount(0)
  await field(edit, 'Funcția').fill('Administrator al casei')
  await button(edit, 'Salvează').click()
  await expect(own.getByText('Administrator al casei')).toBeVisible()
  // A program cannot do it either.
  const { runQuery, graphql } = await client(ADMIN)
  const { me } = await runQuery('{ me { id } }')
  const { errors } = await graphql('mutation ($id: ID!) { suspendUser(userId: $id) { id } }', me)
  expect(errors[0]?.message).toContain('doar alt administrator')
})

test('concurrent changes of two administrators are merged, and an invitation can be revoked', async ({
  open,
  product,
}) => {
  const person = await makePerson(product, REGISTRAR)
  const colleague = await makePerson(product, ADMIN)
  const [one, other] = [await open(ADMIN), await open(colleague.email)]
  for (const page of [one, other]) {
    const account = await openAccount(page, person.email, person.name)
    await button(account, 'Editează').click()
  }
  const [mine, theirs] = [one, other].map((page) => sheet(page, `Editează: ${person.name}`))
  await field(theirs!, 'Funcția').fill('Asistentă')
  await button(theirs!, 'Salvează').click()
  await expect(sheet(other, person.name).getByText('Asistentă')).toBeVisible()
  await field(mine!, 'Nume').fill('Ilinca Țurcanu-Pop')
  await choice(mine!, 'Verificare').click()
  await button(mine!, 'Salvează').click()
  await expect(mine!.getByText('Altcineva a salvat între timp')).toBeVisible()
  await expect(field(mine!, 'Funcția')).toHaveValue('Asistentă')
  await button(mine!, 'Salvează').click()
  const merged = sheet(one, 'Ilinca Țurcanu-Pop')
  await expect(merged.getByText('Asistentă')).toBeVisible()
  await expect(merged.getByText('fișierele pacienților, verificare')).toBeVisible()

  await product.db
    .updateTable('app_user')
    .set({ totp_secret: Buffer.from('lost with the phone') })
    .where('id', '=', person.id)
    .execute()
  await one.reload()
  await button(merged, 'Elimină al doilea factor').click()
  await expectAccessibleInBothModes(one)
  await button(
    one.getByRole('alertdialog', { name: 'Elimini al doilea factor pentru Ilinca Țurcanu-Pop?' }),
    'Elimină',
  ).click()
  await expect(merged.getByText('Inactiv', { exact: true })).toBeVisible()

  await product.db
    .updateTable('app_user')
    .set({ status: 'invited', password_hash: null })
    .where('id', '=', person.id)
    .execute()
  await one.reload()
  await expect(merged.getByText('Invitație expirată')).toBeVisible()
  await button(merged, 'Trimite din nou invitația').click()
  await button(sheet(one, 'Ilinca Țurcanu-Pop are o invitație'), 'Gata').click()
  await expect(merged.getByText('Invitat', { exact: true })).toBeVisible()
  await button(merged, 'Anulează invitația').click()
  const question = one.getByRole('alertdialog', { name: 'Anulezi invitația pentru Ilinca Țurcanu-Pop?' })
  await expectAccessibleInBothModes(one)
  await button(question, 'Anulează invitația').click()
  await expect(one.getByText('Niciun cont găsit')).toBeVisible()
  await one.getByRole('button', { name: 'Arată toate conturile' }).click()
  await expect(one).toHaveURL(/\/admin\?tab=conturi$/)
})

test('invited and suspended accounts follow the active ones, unless another order is chosen', async ({
  open,
  product,
}) => {
  for (const [name, user] of Object.entries({
    'Arbore Suspendată': { status: 'suspended' },
    'Bucur Invitat': { status: 'invited' },
    'Zaharia Activă': { role: 'admin' },
    'Crișan Activ': { last_sign_in_at: new Date('2026-01-05T08:00:00Z') },
  } as const))
    await makeUser(product.db, {
      name,
      email: `ordine-${name.slice(0, 1).toLowerCase()}@dosar.test`,
      ...user,
    })
  const page = await open(ADMIN)
  await page.goto('/admin?tab=conturi&q=ordine-')
  const names = page.getByRole('table', { name: 'Conturi' }).getByRole('link')
  await expect(names).toHaveText(['Crișan Activ', 'Zaharia Activă', 'Bucur Invitat', 'Arbore Suspendată'])

  const order = async (label: string) => {
    await page.getByRole('button', { name: /Ordine/ }).click()
    await page.getByRole('option', { name: label, exact: true }).click()
  }
  await order('După nume')
  await expect(names).toHaveText(['Arbore Suspendată', 'Bucur Invitat', 'Crișan Activ', 'Zaharia Activă'])
  await order('După ultima autentificare')
  await expect(names.first()).toHaveText('Crișan Activ')
  await page.reload()
  await expect(page).toHaveURL(/order=last_sign_in/)
  await order('După rol')
  await expect(names).toHaveText(['Zaharia Activă', 'Arbore Suspendată', 'Bucur Invitat', 'Crișan Activ'])
  await expectAccessibleInBothModes(page)
  await order('După stare')
  await expect(page).not.toHaveURL(/order=/)
})

test('an institution’s page has its users and invites others, on a phone too', async ({ open, product }) => {
  const institution = await makeInstitution(product.db, { name: 'Clinica Sfânta Vineri' })
  const page = await open(ADMIN, { viewport: { width: 360, height: 780 }, reducedMotion: 'reduce' })
  const expectFits = async () =>
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  await page.goto(`/institutions/${institution.id}`)
  const card = page.getByRole('region', { name: 'Utilizatori' })
  await expect(card.getByText('Niciun cont')).toBeVisible()
  await button(card, 'Invită').click()
  const invite = sheet(page, 'Invită o persoană')
  await expect(invite.getByRole('radio', { name: 'Instituție' })).toBeChecked()
  await expect(invite.getByText('Clinica Sfânta Vineri')).toBeVisible()
  await field(invite, 'Nume').fill('Vineri Întâi')
  await field(invite, 'E-mail').fill('vineri@clinica.test')
  await expectFits()
  await expectAccessibleInBothModes(page)
  await button(invite, 'Invită').click()
  await button(sheet(page, 'Vineri Întâi are o invitație'), 'Gata').click()
  await expect(card).toContainText('1 cont')
  await expect(card).toContainText('Invitat')
  await button(card, 'Deschide contul: Vineri Întâi').click()
  await expect(sheet(page, 'Vineri Întâi').getByText('Clinica Sfânta Vineri')).toBeVisible()
  await expectFits()
  await expectAccessibleInBothModes(page)

  await page.goto('/admin?tab=conturi&role=institution')
  await expect(page.getByRole('table', { name: 'Conturi' })).toContainText(INSTITUTION)
  await expect(page.getByRole('table', { name: 'Conturi' })).not.toContainText(REGISTRAR)
  await page.getByRole('searchbox', { name: 'Caută conturi' }).fill('vineri')
  await expect(page).toHaveURL(/[?&]q=vineri/)
  await expect(page.getByRole('table', { name: 'Conturi' })).not.toContainText(INSTITUTION)
  await expectFits()
  await expectAccessibleInBothModes(page)
})
