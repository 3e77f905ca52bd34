import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from '../harness/accessibility.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { setUpSecondFactor } from '../harness/second-factor.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

// The first start in production: an empty database, and a link in a file of the data folder.
let product: Product
test.beforeAll(async () => {
  product = await startProduct({ NODE_ENV: 'production' })
})
test.afterAll(async () => {
  await product.stop()
  expect(product.faults()).toEqual([])
})

const PASSWORD = 'patru cai verzi pe pereți'
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const sheet = (page: Page) => page.getByRole('dialog')
const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name, exact: true })
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
  await place(admin, 'Instituții').click()
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

test('a new administrator sets up the organisation in the browser: settings, institutions with users, categories, a reviewer', async ({
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
  await expectAccessible(admin)

  await test.step('the organisation gets its name, which is shown at once', async () => {
    await field(admin, 'Denumire').fill('Centrul Medical Ștefan cel Mare')
    await field(admin, 'E-mail de contact').fill('contact@exemplu.test')
    await button(admin, 'Salvează').click()
    await expect(admin.getByText(/^Salvate ultima dată/)).toBeVisible()
    await expect(
      admin.getByText('Centrul Medical Ștefan cel Mare').filter({ visible: true }).first(),
    ).toBeVisible()
  })

  await test.step('categories', async () => {
    await admin.getByRole('tab', { name: 'Categorii' }).click()
    for (const name of ['Imagistică', 'Analize de laborator']) {
      await button(admin, 'Adaugă o categorie').first().click()
      await field(sheet(admin), 'Nume').fill(name)
      await button(sheet(admin), 'Adaugă').click()
      await expect(admin.getByRole('row', { name, exact: true })).toBeVisible()
    }
    const bar = admin.getByRole('region', { name: 'Modificări nesalvate' })
    await button(bar, 'Salvează').click()
    await expect(bar).toBeHidden()
  })

  const links = await test.step('two institutions, each with a user', async () => [
    await addInstitution(admin, 'Spitalul Județean Bistrița', 'SJB', 'Ioana Pârvu'),
    await addInstitution(admin, 'Clinica Sfânta Ana', 'CSA', 'Dan Țîrlea'),
  ])

  const reviewerLink = await test.step('a reviewer', async () => {
    await place(admin, 'Administrare').click()
    await admin.getByRole('tab', { name: 'Conturi' }).click()
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
    await expect(reviewer.getByRole('option', { name: 'Analize de laborator' })).toBeVisible()
  })

  await test.step('all actions are in the audit log, whose chain is valid', async () => {
    await place(admin, 'Jurnal de activitate').click()
    await expect(admin.getByText('a modificat setările').first()).toBeVisible()
    await expect(admin.getByText('a salvat categoriile').first()).toBeVisible()
    await button(admin, 'Verifică acum').click()
    await expect(admin.getByText(/înregistr.* verificat|Jurnalul este întreg/).first()).toBeVisible()
  })
})
