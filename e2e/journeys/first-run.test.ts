import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { counted } from '../../shared/romania/romanian.ts'
import { CATEGORY_TEMPLATE } from '../../shared/setup/category-template.ts'
import { type MailServer, startMailServer } from '../../test/mail.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { setUpSecondFactor } from '../harness/second-factor.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

// The first start in production: an empty database, a mail server, and a link in a file of the data folder.
let product: Product
let mail: MailServer
test.beforeAll(async () => {
  mail = await startMailServer()
  product = await startProduct({ NODE_ENV: 'production', SMTP_URL: mail.url })
})
test.afterAll(async () => {
  await product.stop()
  await mail.stop()
  expect(product.faults()).toEqual([])
})

const PASSWORD = 'patru cai verzi pe pereți'
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog')
const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name, exact: true })
/** A step of the list of first steps, with its state. */
const step = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Primii pași' }).getByRole('listitem').filter({ hasText: name })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await field(page, 'Parola nouă').fill(PASSWORD)
  await button(page, 'Salvează parola').click()
}

/** Closes the dialog that shows the link once, and returns the link. */
async function takeLink(admin: Page, name: string): Promise<string> {
  const made = admin.getByRole('dialog', { name: `${name} are o invitație` })
  await button(made, 'Copiază').click()
  const link = await admin.evaluate(() => navigator.clipboard.readText())
  await button(made, 'Gata').click()
  return link
}

async function addInstitution(admin: Page, name: string, code: string, user: string): Promise<string> {
  await button(admin, 'Adaugă instituție').first().click()
  await field(sheet(admin), 'Denumire').fill(name)
  await field(sheet(admin), 'Cod').fill(code)
  await sheet(admin)
    .getByRole('button', { name: /(?<!: )Tip$/ })
    .click()
  await admin.getByRole('option', { name: 'Spital' }).click()
  await button(sheet(admin), 'Adaugă').click()
  await expect(title(admin, name)).toBeVisible()
  await button(admin, 'Invită').first().click()
  await field(sheet(admin), 'Nume').fill(user)
  await field(sheet(admin), 'E-mail').fill(`${code.toLowerCase()}@exemplu.test`)
  await button(sheet(admin), 'Invită').click()
  return takeLink(admin, user)
}

test('the first hour of a new organisation: the first steps lead an administrator to settings, mail, categories, institutions and a reviewer, and are gone when they are done', async ({
  open,
}) => {
  test.setTimeout(180_000)
  const at = product.url
  const admin = await open(null, {
    at,
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  const first = await readFile(join(product.dataDir, 'first-administrator-link'), 'utf8')
  await choosePassword(admin, first.trim())
  await setUpSecondFactor(admin)
  await expect(title(admin, 'Administrare')).toBeVisible()
  await expect(field(admin, 'Denumire')).toBeVisible()
  await expect(step(admin, 'Al doilea factor al contului tău')).toContainText('Gata')
  await expect(admin.getByText('1 din 7 gata')).toBeVisible()
  await expectAccessibleInBothModes(admin)

  await test.step('the steps are hidden and shown again', async () => {
    await button(admin, 'Ascunde').click()
    await expect(admin.getByRole('region', { name: 'Primii pași' })).toHaveCount(0)
    await admin.reload()
    await button(admin, 'Arată-i').click()
    await expect(admin.getByText('1 din 7 gata')).toBeVisible()
    await expect(button(admin, 'Arată-i')).toHaveCount(0)
  })

  await test.step('the organisation gets its name, which is shown at once', async () => {
    await step(admin, 'Datele organizației').getByRole('link', { name: 'Completează' }).click()
    await field(admin, 'Denumire').fill('Centrul Medical Ștefan cel Mare')
    await field(admin, 'E-mail de contact').fill('contact@exemplu.test')
    await field(admin, 'Telefon de contact').fill('0264 555 010')
    await field(admin, 'Adresă').fill('Str. Exemplului nr. 7, Cluj-Napoca')
    await button(admin, 'Salvează').click()
    await expect(admin.getByText(/^Salvate ultima dată/)).toBeVisible()
    await expect(
      admin.getByText('Centrul Medical Ștefan cel Mare').filter({ visible: true }).first(),
    ).toBeVisible()
  })

  await test.step('a test mail proves that mail is sent', async () => {
    await step(admin, 'Trimiterea mesajelor').getByRole('link', { name: 'Trimite o probă' }).click()
    await button(admin, 'Trimite o probă').click()
    await expect(step(admin, 'Datele organizației')).toContainText('Gata', { timeout: 30_000 })
    await expect(step(admin, 'Trimiterea mesajelor')).toContainText('Gata', { timeout: 30_000 })
  })

  await test.step('categories: the template, which is edited like any list', async () => {
    await step(admin, 'Categoriile rezultatelor').getByRole('button', { name: 'Vezi șablonul' }).click()
    const template = admin.getByRole('dialog', { name: 'Șablonul de categorii' })
    await expect(template.getByText('Hemoleucogramă')).toBeVisible()
    await button(template, 'Folosește șablonul').click()
    const added = counted(CATEGORY_TEMPLATE.length, 'categorie adăugată', 'categorii adăugate')
    await expect(admin.getByText(added)).toBeVisible()
    await expect(step(admin, 'Categoriile rezultatelor')).toContainText('Gata')
    await admin.getByRole('tab', { name: 'Categorii' }).click()
    await expect(admin.getByRole('row', { name: 'Consultații', exact: true })).toBeVisible()
    await button(admin, 'Adaugă o categorie').first().click()
    await field(sheet(admin), 'Nume').fill('Medicină nucleară')
    await button(sheet(admin), 'Adaugă').click()
    await expect(admin.getByRole('row', { name: 'Medicină nucleară', exact: true })).toBeVisible()
    const bar = admin.getByRole('region', { name: 'Modificări nesalvate' })
    await button(bar, 'Salvează').click()
    await expect(bar).toBeHidden()
  })

  const links = await test.step('two institutions, each with a user', async () => {
    await step(admin, 'Prima instituție').getByRole('link', { name: 'Adaugă o instituție' }).click()
    const first = await addInstitution(admin, 'Spitalul Județean Bistrița', 'SJB', 'Ioana Pârvu')
    await place(admin, 'Instituții').click()
    return [first, await addInstitution(admin, 'Clinica Sfânta Ana', 'CSA', 'Dan Țîrlea')]
  })

  const reviewerLink = await test.step('a reviewer', async () => {
    await place(admin, 'Administrare').click()
    await step(admin, 'Prima persoană care verifică').getByRole('link', { name: 'Invită o persoană' }).click()
    await button(admin, 'Invită o persoană').click()
    await field(sheet(admin), 'Nume').fill('Mălina Verificat')
    await field(sheet(admin), 'E-mail').fill('verificare@exemplu.test')
    for (const name of ['Personal', 'Fișierele pacienților', 'Verificare'])
      await sheet(admin).getByText(name, { exact: true }).click()
    await button(sheet(admin), 'Invită').click()
    return takeLink(admin, 'Mălina Verificat')
  })

  await test.step('each user signs in by link and sees the first screen of the role', async () => {
    for (const link of links) {
      const person = await open(null, { at, reducedMotion: 'reduce' })
      await choosePassword(person, link)
      await expect(title(person, 'Rezultatele pacienților dumneavoastră')).toBeVisible()
      await expect(person.getByText('Centrul Medical Ștefan cel Mare').first()).toBeVisible()
    }
    const reviewer = await open(null, { at, reducedMotion: 'reduce' })
    await choosePassword(reviewer, reviewerLink)
    await setUpSecondFactor(reviewer)
    await expect(title(reviewer, 'Verificare')).toBeVisible()
    await reviewer.getByRole('button', { name: /(?<!: )Categorie$/ }).click()
    await expect(reviewer.getByRole('option', { name: 'Analize de laborator' }).first()).toBeVisible()
  })

  await test.step('the reviewer is there, backups are stated, and the steps are gone', async () => {
    await place(admin, 'Tablou de bord').click()
    await expect(step(admin, 'Prima persoană care verifică')).toContainText('Gata')
    await step(admin, 'Copiile de siguranță').getByRole('button', { name: 'Sunt aranjate' }).click()
    await expect(admin.getByRole('region', { name: 'Primii pași' })).toHaveCount(0)
    await admin.reload()
    await expect(title(admin, 'Tablou de bord')).toBeVisible()
    await expect(admin.getByText('Încărcări pe zi').first()).toBeVisible()
    await expect(admin.getByRole('region', { name: 'Primii pași' })).toHaveCount(0)
  })

  await test.step('all actions are in the audit log, whose chain is valid', async () => {
    await place(admin, 'Jurnal de activitate').click()
    await expect(admin.getByText('a modificat setările').first()).toBeVisible()
    await expect(admin.getByText('a salvat categoriile').first()).toBeVisible()
    await button(admin, 'Verifică acum').click()
    await expect(admin.getByText(/înregistr.* verificat|Jurnalul este întreg/).first()).toBeVisible()
  })
})
