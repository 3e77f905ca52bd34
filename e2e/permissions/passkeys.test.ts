import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { DEMO_PASSWORD } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

/** Gives the browser a device with passkeys whose user confirms at once; returns a function that makes the user refuse. */
async function addDevice(page: Page): Promise<(confirms: boolean) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

const menu = (page: Page) =>
  page.getByRole('button', { name: /^Contul meu|Ilinca/ }).filter({ visible: true })

async function openOwnAccount(page: Page) {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Setările contului' }).click()
  return page.getByRole('dialog', { name: 'Setările contului' })
}

async function signOut(page: Page): Promise<void> {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Deconectare' }).click()
  await page.getByRole('link', { name: 'Autentifică-te din nou' }).click()
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail', { exact: true }).fill(email)
  await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
  await button(page, 'Autentificare').click()
}

const codesOf = (page: Page) => page.getByRole('list', { name: 'Coduri de recuperare' }).getByRole('listitem')

/** Makes the last proof of identity of a user ten minutes old. */
const ageProof = ({ db }: Product, userId: string) =>
  db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - 600_000) })
    .where('user_id', '=', userId)
    .execute()

/** Adds a first passkey on an own device of the browser; the recovery codes are on the screen then. */
async function addFirstPasskey(page: Page, name = 'Laptop') {
  const sheet = await openOwnAccount(page)
  await button(page, 'Adaugă o cheie de acces').click()
  await sheet.getByLabel('Numele cheii de acces').fill(name)
  await button(page, 'Continuă').click()
  return sheet
}

test('new recovery codes stay on the screen until the user has kept them', async ({ open, product }) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce', viewport: { width: 360, height: 740 } })
  await addDevice(page)
  await page.goto('/uploads')
  await page.getByRole('link', { name: 'Pacienți' }).filter({ visible: true }).first().click()
  await expect(title(page, 'Pacienți')).toBeVisible()
  const sheet = await addFirstPasskey(page)
  await expect(codesOf(page)).toHaveCount(10)
  const codes = await codesOf(page).allTextContents()
  // No other section can close them, and no message lies above them.
  await expect(button(page, 'Activează')).toHaveCount(0)
  await expect(page.getByRole('alertdialog').filter({ hasText: 'adăugată' })).toHaveCount(0)
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.setViewportSize({ width: 1280, height: 720 })
  await expect(codesOf(page)).toHaveText(codes)
  await expect(page).toHaveURL(/\/patients/)
  await button(page, 'Am păstrat codurile').click()
  await expect(sheet.getByRole('list', { name: 'Chei de acces' })).toContainText('Laptop')
  await expect(codesOf(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
})

test('a passkey whose response was lost is found at the next try, and its recovery codes are replaced', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/ERR_FAILED/)
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await addDevice(page)
  await page.goto('/uploads')
  await page.route('**/graphql', async (route) => {
    if (route.request().postDataJSON().operationName !== 'AddPasskey') return route.continue()
    await route.fetch()
    await route.abort()
  })
  const sheet = await addFirstPasskey(page)
  await expect(sheet.getByText('Adăugarea nu s-a încheiat')).toBeVisible()
  await button(page, 'Continuă').click()
  await expect(codesOf(page)).toHaveCount(10)
  const [code] = await codesOf(page).allTextContents()
  await button(page, 'Am păstrat codurile').click()
  await expect(
    sheet.getByRole('list', { name: 'Chei de acces' }).getByRole('listitem').filter({ hasText: 'Laptop' }),
  ).toHaveCount(1)

  // The codes on the screen are those of the account.
  await page.keyboard.press('Escape')
  await signOut(page)
  await enterPassword(page, person.email)
  await page.getByLabel('Cod de recuperare', { exact: true }).fill(code!)
  await button(page, 'Continuă').click()
  await expect(title(page, 'Verificare')).toBeVisible()
})

test('an account whose only second factor is a passkey is not asked for a code of an application', async ({
  open,
  product,
}) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  const setConfirms = await addDevice(page)
  await page.goto('/uploads')
  await addFirstPasskey(page)
  await expect(codesOf(page)).toHaveCount(10)
  const [first, second] = await codesOf(page).allTextContents()
  await button(page, 'Am păstrat codurile').click()
  await setConfirms(false)

  await ageProof(product, person.id)
  await button(page, 'Generează coduri noi').click()
  await button(page, 'Generează coduri').click()
  const dialog = page.getByRole('dialog', { name: 'Confirmarea identității' })
  await expect(button(page, 'Folosește o cheie de acces')).toBeVisible()
  await expect(dialog.getByRole('textbox')).toHaveCount(0)
  await expectAccessibleInBothModes(page)
  await button(page, 'Folosește un cod de recuperare').click()
  await dialog.getByLabel('Parola contului', { exact: true }).fill(DEMO_PASSWORD)
  await expect(dialog.getByLabel('Cod din aplicație')).toHaveCount(0)
  await dialog.getByLabel('Cod de recuperare').fill(first!)
  await expectAccessibleInBothModes(page)
  await button(page, 'Confirmă').click()
  await expect(codesOf(page)).toHaveCount(10)
  expect((await codesOf(page).allTextContents()).includes(second!)).toBe(false)
  await button(page, 'Am păstrat codurile').click()
  await page.keyboard.press('Escape')

  await signOut(page)
  await enterPassword(page, person.email)
  await expect(button(page, 'Folosește o cheie de acces')).toBeFocused()
  await expect(page.getByText('aplicația')).toHaveCount(0)
  await expectAccessibleInBothModes(page)
})

test('without a network the passkey step shows the failure, and the next try succeeds', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/ERR_INTERNET_DISCONNECTED/)
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await addDevice(page)
  await page.goto('/uploads')
  await addFirstPasskey(page)
  await button(page, 'Am păstrat codurile').click()
  await page.keyboard.press('Escape')
  await signOut(page)
  await expect(title(page, 'Autentificare')).toBeVisible()
  await page.waitForLoadState('networkidle')
  await page.context().setOffline(true)
  await button(page, 'Intră cu o cheie de acces').click()
  await expect(page.getByRole('alert').filter({ hasText: 'rețea' })).toBeVisible()
  await page.context().setOffline(false)
  await button(page, 'Intră cu o cheie de acces').click()
  await expect(title(page, 'Verificare')).toBeVisible()
})

test('a passkey name that is too long gets a sentence, and is not cut', async ({ open, product }) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await page.goto('/uploads')
  const sheet = await openOwnAccount(page)
  await button(page, 'Adaugă o cheie de acces').click()
  await sheet.getByLabel('Numele cheii de acces').fill('x'.repeat(61))
  await button(page, 'Continuă').click()
  await expect(sheet.getByText('cel mult 60 de caractere')).toBeVisible()
  await expect(sheet.getByLabel('Numele cheii de acces')).toHaveValue('x'.repeat(61))
})

test('a passkey is added, signs in alone and after the password, proves the identity, and is removed', async ({
  open,
  product,
}) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  const setConfirms = await addDevice(page)
  await page.goto('/uploads')
  const sheet = await openOwnAccount(page)
  await button(page, 'Adaugă o cheie de acces').click()
  await expect(sheet.getByLabel('Numele cheii de acces')).toBeFocused()
  await setConfirms(false)
  await sheet.getByLabel('Numele cheii de acces').fill('Laptopul de la birou')
  await button(page, 'Continuă').click()
  await expect(sheet.getByText('dispozitivul nu a confirmat')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await setConfirms(true)
  await button(page, 'Continuă').click()
  await expect(sheet.getByRole('list', { name: 'Coduri de recuperare' }).getByRole('listitem')).toHaveCount(
    10,
  )
  await button(page, 'Am păstrat codurile').click()
  const keys = sheet.getByRole('list', { name: 'Chei de acces' })
  await expect(keys.getByRole('listitem')).toContainText(['Laptopul de la birou'])
  await expectAccessibleInBothModes(page)
  await page.keyboard.press('Escape')

  await signOut(page)
  await button(page, 'Intră cu o cheie de acces').click()
  await expect(title(page, 'Verificare')).toBeVisible()

  await signOut(page)
  await enterPassword(page, person.email)
  await expect(title(page, 'Al doilea factor')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await setConfirms(false)
  await button(page, 'Folosește o cheie de acces').click()
  await expect(page.getByText('dispozitivul nu a confirmat')).toBeVisible()
  await setConfirms(true)
  await button(page, 'Folosește o cheie de acces').click()
  await expect(title(page, 'Verificare')).toBeVisible()

  const again = await openOwnAccount(page)
  await button(page, 'Redenumește cheia de acces Laptopul de la birou').click()
  await again.getByLabel('Numele cheii de acces').fill('Laptop')
  await button(page, 'Salvează').click()
  await product.db
    .updateTable('session')
    .set({ proved_at: new Date(Date.now() - 600_000) })
    .where('user_id', '=', person.id)
    .execute()
  await button(page, 'Elimină cheia de acces Laptop').click()
  await expectAccessibleInBothModes(page)
  await button(page, 'Elimină').click()
  await expect(page.getByRole('dialog', { name: 'Confirmarea identității' })).toBeVisible()
  await expectAccessibleInBothModes(page)
  await button(page, 'Folosește o cheie de acces').click()
  await expect(button(page, 'Elimină cheia de acces Laptop')).toHaveCount(0)
  await expect(again.getByText('O cheie de acces este ținută de telefon')).toBeVisible()

  const mails = await product.db
    .selectFrom('message')
    .where('recipient', '=', person.email)
    .select('kind')
    .orderBy('created_at')
    .execute()
  expect(mails.map(({ kind }) => kind)).toEqual(['passkey-added', 'passkey-removed'])
})

test('a passkey of no account is rejected with a sentence, and the password still signs in', async ({
  open,
  product,
}) => {
  const person = await makePerson(product)
  const page = await open(person.email, { reducedMotion: 'reduce' })
  await addDevice(page)
  await page.goto('/uploads')
  const sheet = await openOwnAccount(page)
  await button(page, 'Adaugă o cheie de acces').click()
  await sheet.getByLabel('Numele cheii de acces').fill('Telefon')
  await button(page, 'Continuă').click()
  await button(page, 'Am păstrat codurile').click()
  await page.keyboard.press('Escape')
  await product.db.deleteFrom('passkey').where('user_id', '=', person.id).execute()
  await signOut(page)
  await button(page, 'Intră cu o cheie de acces').click()
  await expect(page.getByText('Cheia de acces nu este a unui cont')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await button(page, 'Intră cu parolă').click()
  await enterPassword(page, person.email)
  await expect(title(page, 'Verificare')).toBeVisible()
})
