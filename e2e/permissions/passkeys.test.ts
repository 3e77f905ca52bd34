import { expectAccessible } from '../harness/accessibility.ts'
import { DEMO_PASSWORD } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
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

async function expectAccessibleInBothModes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
}

const menu = (page: Page) =>
  page.getByRole('button', { name: /^Contul meu|Ilinca/ }).filter({ visible: true })

async function openOwnAccount(page: Page) {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Parolă și securitate' }).click()
  return page.getByRole('dialog', { name: 'Parolă și securitate' })
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
