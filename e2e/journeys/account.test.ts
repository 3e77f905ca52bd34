import { type MailServer, startMailServer } from '../../test/mail.ts'
import { createAuthenticator } from '../../test/second-factor.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { DEMO_PASSWORD } from '../harness/accounts.ts'
import { makePerson, setSetting } from '../harness/people.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const NEW_PASSWORD = 'patru cai verzi pe pereți'
const SENDER = { name: 'Centrul „Ștefan”', address: 'rezultate@exemplu.test' }

// A separate product, with a mail server.
let mail: MailServer
let product: Product
test.beforeAll(async () => {
  mail = await startMailServer()
  product = await startProduct({ SMTP_URL: mail.url })
  await setSetting(product, 'from_name', SENDER.name)
  await setSetting(product, 'from_email', SENDER.address)
})
test.afterAll(async () => {
  await product.stop()
  await mail.stop()
  expect(product.faults()).toEqual([])
})

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
/** Opens a browser without transitions, so that colours are final when they are checked. */
const here = () => ({ at: product.url, reducedMotion: 'reduce' as const })

async function enter(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await field(page, 'E-mail').fill(email)
  await field(page, 'Parolă').fill(password)
  await button(page, 'Autentificare').click()
}

const menu = (page: Page) =>
  page.getByRole('button', { name: /^Contul meu|Ilinca/ }).filter({ visible: true })

async function signOut(page: Page): Promise<void> {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Deconectare' }).click()
  await page.getByRole('link', { name: 'Autentifică-te din nou' }).click()
  await expect(title(page, 'Autentificare')).toBeVisible()
}

async function openAccount(page: Page) {
  await menu(page).click()
  await page.getByRole('menuitem', { name: 'Setările contului' }).click()
  const sheet = page.getByRole('dialog', { name: 'Setările contului' })
  await expect(sheet.getByRole('heading', { name: 'Sesiuni' })).toBeVisible()
  return sheet
}

const closeSheet = (page: Page) => button(page, 'Închide').click()

/** Expects that every recovery code is on one line within its list, also on a large phone. */
async function expectOnOneLine(page: Page): Promise<void> {
  const codes = page.getByRole('list', { name: 'Coduri de recuperare' })
  const wide = page.viewportSize()!
  for (const width of [wide.width, 400]) {
    await page.setViewportSize({ ...wide, width })
    const broken = await codes.evaluate((list) => {
      const lines = [...list.children].map((code) => {
        const text = document.createRange()
        text.selectNodeContents(code)
        return text.getClientRects().length
      })
      return list.scrollWidth > list.clientWidth || lines.some((count) => count > 1)
    })
    expect(broken, `at ${width} px`).toBe(false)
  }
  await page.setViewportSize(wide)
}

/** Returns the key that the page shows for an authenticator application. */
const readKey = async (page: Page) => createAuthenticator((await page.locator('code').textContent())!)

test('a forgotten password is replaced by a mail from the site’s sender, a link and a new password [1.5]', async ({
  open,
  expectError,
}) => {
  // What the page asks when it is idle may come after the sign-out.
  expectError(/status of 401/)
  const { email } = await makePerson(product)
  const page = await open(null, here())
  const runQuery = async (address: string) => {
    await page.goto('/')
    await field(page, 'E-mail').fill(address)
    await button(page, 'Ai uitat parola?').click()
    await expect(title(page, 'Parolă uitată')).toBeVisible()
    await expect(field(page, 'E-mail')).toHaveValue(address)
    await expectAccessibleInBothModes(page)
    await button(page, 'Trimite linkul').click()
    await expect(page.getByRole('status').filter({ hasText: address })).toContainText(
      'îi trimitem acum un link',
    )
  }
  // The page shows the same message for an address without an account.
  await runQuery('nimeni@exemplu.test')
  await runQuery(email)
  await expectAccessibleInBothModes(page)
  const { mail: arrived, sender, link } = await mail.waitFor(email)
  expect([arrived.from, sender]).toEqual([SENDER, SENDER.address])
  expect(arrived.subject).toContain('Parolă nouă')
  expect(link).toMatch(new RegExp(`^${product.url}/cont/[\\w-]{43}$`))

  await page.goto(link!)
  await expect(title(page, 'Alege o parolă nouă')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await field(page, 'Parola nouă').fill('scurtă')
  await button(page, 'Salvează parola').click()
  await expect(page.getByText('Parola are nevoie de cel puțin 15 caractere.')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await field(page, 'Parola nouă').fill(NEW_PASSWORD)
  await button(page, 'Salvează parola').click()
  await expect(title(page, 'Verificare')).toBeVisible()
  const notice = await mail.waitFor(email, 2)
  expect(notice.mail.subject).toContain('Parola ta a fost schimbată')

  await signOut(page)
  await enter(page, email)
  await expect(page.getByText('Adresa sau parola nu sunt corecte.')).toBeVisible()
  await enter(page, email, NEW_PASSWORD)
  await expect(title(page, 'Verificare')).toBeVisible()
  await page.goto(link!)
  await expect(title(page, 'Linkul nu mai este valabil')).toBeVisible()
  await expectAccessibleInBothModes(page)
  expect(mail.arrived.flatMap(({ recipients }) => recipients)).toEqual([email, email])
})

test('a second factor is enabled, required at the next sign-in, and replaced once by a recovery code', async ({
  open,
}) => {
  const { email } = await makePerson(product)
  const page = await open(email, here())
  await page.goto('/patients')
  await expect(title(page, 'Pacienți')).toBeVisible()
  const sheet = await openAccount(page)
  await expect(sheet.getByText('Inactiv')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await sheet.getByRole('button', { name: 'Activează' }).click()
  await field(page, 'Parola contului').fill('nu aceasta')
  await button(page, 'Continuă').click()
  await expect(field(page, 'Parola contului')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleInBothModes(page)
  await field(page, 'Parola contului').fill(DEMO_PASSWORD)
  await button(page, 'Continuă').click()
  await expect(page.getByRole('img', { name: 'Cod QR pentru aplicația de autentificare' })).toBeVisible()
  const application = await readKey(page)
  await expectAccessibleInBothModes(page)
  await page.getByRole('textbox', { name: 'Cod din aplicație' }).fill('000000')
  await sheet.getByRole('button', { name: 'Activează' }).click()
  await expect(page.getByRole('textbox', { name: 'Cod din aplicație' })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await page.getByRole('textbox', { name: 'Cod din aplicație' }).fill(application.nextCode())
  await sheet.getByRole('button', { name: 'Activează' }).click()
  const shown = page.getByRole('list', { name: 'Coduri de recuperare' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const codes = await shown.getByRole('listitem').allInnerTexts()
  await expectOnOneLine(page)
  await expectAccessibleInBothModes(page)
  await button(page, 'Am păstrat codurile').click()
  await expect(sheet.getByText('Mai ai 10 coduri de recuperare.')).toBeVisible()
  // The focus is still in the sheet, which Escape closes.
  await expect(sheet.locator(':focus')).toHaveCount(1)
  await expectAccessibleInBothModes(page)
  await closeSheet(page)
  await signOut(page)

  await enter(page, email)
  await expect(title(page, 'Al doilea factor')).toBeVisible()
  await expect(field(page, 'Cod')).toBeFocused()
  await expectAccessibleInBothModes(page)
  // A pending sign-in gives no access.
  expect(await (await page.context().request.get('/api/auth/session')).json()).toBeNull()
  await field(page, 'Cod').fill('000000')
  await button(page, 'Continuă').click()
  await expect(page.getByText('Codul nu este corect.')).toBeVisible()
  await expectAccessibleInBothModes(page)
  await field(page, 'Cod').fill(application.nextCode())
  await button(page, 'Continuă').click()
  await expect(title(page, 'Verificare')).toBeVisible()
  await signOut(page)

  await enter(page, email)
  await field(page, 'Cod').fill(codes[0]!)
  await button(page, 'Continuă').click()
  await expect(title(page, 'Verificare')).toBeVisible()
  await expect((await openAccount(page)).getByText('Mai ai 9 coduri de recuperare.')).toBeVisible()
  await closeSheet(page)
  await signOut(page)
  await enter(page, email)
  await field(page, 'Cod').fill(codes[0]!)
  await button(page, 'Continuă').click()
  await expect(page.getByText('Codul nu este corect.')).toBeVisible()
  await button(page, 'Înapoi la început').click()
  await expect(title(page, 'Autentificare')).toBeVisible()
})

test('a role that must have a second factor sets it up while signing in', async ({ open }) => {
  const { email } = await makePerson(product)
  const restore = await setSetting(product, 'second_factor_required', ['staff'])
  try {
    const page = await open(null, here())
    await page.goto('/patients')
    await enter(page, email)
    await expect(title(page, 'Al doilea factor')).toBeVisible()
    await expect(page.getByText('Rolul contului cere un al doilea factor.')).toBeVisible()
    await expectAccessibleInBothModes(page)
    const application = await readKey(page)
    await field(page, 'Codul pe care îl arată aplicația').fill(application.nextCode())
    await button(page, 'Continuă').click()
    await expect(page.getByRole('heading', { name: 'Coduri de recuperare' })).toBeVisible()
    await expect(page.getByRole('listitem')).toHaveCount(10)
    await expectOnOneLine(page)
    await expectAccessibleInBothModes(page)
    await button(page, 'Am păstrat codurile').click()
    await expect(title(page, 'Pacienți')).toBeVisible()
    const sheet = await openAccount(page)
    await expect(
      sheet.getByText('Rolul contului cere al doilea factor, deci nu poate fi dezactivat.'),
    ).toBeVisible()
    await expect(sheet.getByRole('button', { name: 'Dezactivează' })).toHaveCount(0)
    await expectAccessibleInBothModes(page)
  } finally {
    await restore()
  }
})

test('sessions are listed and ended from another session, and a new password ends all others [4.3]', async ({
  open,
  expectError,
}) => {
  expectError(/status of 401/)
  const { email } = await makePerson(product)
  const [page, other, third] = [
    await open(email, here()),
    await open(email, here()),
    await open(email, here()),
  ]
  const lands = async (where: Page, name: string) => {
    await where.goto('/patients')
    await expect(title(where, name)).toBeVisible()
  }
  await lands(other, 'Pacienți')
  await lands(third, 'Pacienți')
  await lands(page, 'Pacienți')
  const sheet = await openAccount(page)
  await expect(sheet.getByRole('listitem')).toHaveCount(3)
  await expect(sheet.getByRole('listitem').filter({ hasText: 'aceasta' })).toHaveCount(1)
  await expectAccessibleInBothModes(page)
  await sheet
    .getByRole('button', { name: /^Închide sesiunea/ })
    .first()
    .click()
  await expect(sheet.getByRole('listitem')).toHaveCount(2)
  // One of the two ends at once; the other does not.
  const live = async (where: Page) =>
    (await (await where.context().request.get('/api/auth/session')).json()) !== null
  const alive = [await live(other), await live(third)]
  expect(alive.toSorted()).toEqual([false, true])
  const [ended, left] = alive[0] ? [third, other] : [other, third]
  await expect(title(ended, 'Sesiune încheiată')).toBeVisible()

  await sheet.getByRole('button', { name: 'Schimbă parola' }).click()
  await field(page, 'Parola de acum').fill('nu aceasta')
  await field(page, 'Parola nouă').fill(NEW_PASSWORD)
  await button(page, 'Salvează parola').click()
  await expect(field(page, 'Parola de acum')).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleInBothModes(page)
  await field(page, 'Parola de acum').fill(DEMO_PASSWORD)
  await button(page, 'Salvează parola').click()
  await expect(page.getByText('Parola a fost schimbată')).toBeVisible()
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  expect([await live(page), await live(left)]).toEqual([true, false])
  const again = await open(null, here())
  await again.goto('/')
  await enter(again, email, NEW_PASSWORD)
  await expect(title(again, 'Verificare')).toBeVisible()
})

test('more than thirty requests for a link from one network are rejected, for any address', async () => {
  const runQuery = (place: number) =>
    fetch(`${product.url}/api/password-reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `nimeni-${place}@exemplu.test` }),
    })
  const responses = await Promise.all(Array.from({ length: 34 }, (_, place) => runQuery(place)))
  const refused = responses.filter(({ status }) => status !== 202)
  expect(refused.length).toBeGreaterThanOrEqual(4)
  for (const response of refused) {
    expect([response.status, (await response.json()).code]).toEqual([429, 'TOO_MANY'])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  }
})

test('the forms before the sign-in have the sentences and the moments of all forms [1.6] [5.3] [5.4] [5.5]', async ({
  open,
}) => {
  const INCOMPLETE = 'Pare rău, unele câmpuri nu sunt corect completate.'
  const INVALID_EMAIL = 'Te rog folosește o adresă de email validă.'
  const page = await open(null)
  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') requests.push(new URL(request.url()).pathname)
  })
  await page.goto('/')
  await button(page, 'Autentificare').click()
  await expect(page.getByText('E-mail este necesar.')).toBeVisible()
  await expect(page.getByText('Parolă este necesar.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText(INCOMPLETE)
  await expect(field(page, 'E-mail')).toBeFocused()
  await expectAccessibleInBothModes(page)
  await field(page, 'E-mail').fill('abc')
  await expect(page.getByText(INVALID_EMAIL)).toBeVisible()
  await field(page, 'E-mail').fill('abc@exemplu.test')
  await expect(page.getByText(INVALID_EMAIL)).toHaveCount(0)
  await field(page, 'Parolă').fill('x')
  await expect(page.getByText(INCOMPLETE)).toHaveCount(0)

  // Not while it is typed; a press on a button is not moved away by the error.
  await page.reload()
  await field(page, 'E-mail').pressSequentially('abc')
  await expect(page.getByText(INVALID_EMAIL)).toHaveCount(0)
  await page.keyboard.press('Tab')
  await expect(page.getByText(INVALID_EMAIL)).toBeVisible()
  await button(page, 'Ai uitat parola?').click()
  await expect(title(page, 'Parolă uitată')).toBeVisible()
  await field(page, 'E-mail').fill('')
  await button(page, 'Trimite linkul').click()
  await expect(page.getByText('E-mail este necesar.')).toBeVisible()
  await expect(page.getByText(INCOMPLETE)).toBeVisible()
  expect(requests).toEqual([])
})
