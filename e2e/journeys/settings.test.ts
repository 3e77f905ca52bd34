import sharp from 'sharp'
import { ACCENTS } from '../../shared/site/accents.ts'
import { type MailServer, startMailServer } from '../../test/mail.ts'
import { findFreePort } from '../../test/real-http.ts'
import { expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { ADMIN, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

// A separate product, since all users see these changes. The provider is configured and never called.
let mail: MailServer
let product: Product
test.beforeAll(async () => {
  mail = await startMailServer()
  // Allowed as its own second host, which certainly responds.
  const port = await findFreePort()
  product = await startProduct({
    PORT: String(port),
    BACKEND_HOSTS: `http://localhost:${port}`,
    SMTP_URL: mail.url,
    OIDC_ISSUER: 'http://localhost:9/intrare',
    OIDC_CLIENT_ID: 'dosar',
    OIDC_CLIENT_SECRET: 'dosar',
    OIDC_NAME: 'Intrarea comună',
  })
})
test.afterAll(async () => {
  await product.stop()
  await mail.stop()
  expect(product.faults()).toEqual([])
})

const here = () => ({ at: product.url, reducedMotion: 'reduce' as const })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openSettings(page: Page): Promise<void> {
  await page.goto('/admin')
  await expect(field(page, 'Titlul paginilor')).toBeVisible()
}

async function save(page: Page): Promise<void> {
  await expect(page.getByText(/modific.* nesalvat/)).toBeVisible()
  await button(page, 'Salvează').click()
  await expect(page.getByText(/^Salvate ultima dată/)).toBeVisible()
}

/** Makes a page in the background visible again. */
const lookAt = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

const drawPicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0a7' } })
    .png()
    .toBuffer()

async function choosePicture(
  page: Page,
  label: string,
  file: { name: string; mimeType: string; buffer: Buffer },
) {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('group', { name: label, exact: true }).getByRole('button').first().click()
  await (await chooser).setFiles(file)
}

const widthOf = (address: string, page: Page) =>
  page.evaluate(async (src) => {
    const image = new Image()
    image.src = src
    await image.decode()
    return image.naturalWidth
  }, address)

type Pages = {
  /** The administrator who changes a setting. */
  admin: Page
  /** A signed-in user who does nothing. */
  reviewer: Page
  /** The sign-in page, without a session. */
  visitor: Page
}

const type = (label: string, text: string) => (pages: Pages) => field(pages.admin, label).fill(text)

const sendPicture =
  (label: string, width: number, height: number) =>
  async ({ admin }: Pages) => {
    const buffer = await drawPicture(width, height)
    await choosePicture(admin, label, { name: 'sigla.png', mimeType: 'image/png', buffer })
    await expect(admin.getByRole('img', { name: `${label}, cum arată acum` })).toBeVisible()
  }

async function readTestMail({ admin }: Pages) {
  const { length } = mail.arrived
  await admin.goto('/admin?tab=mesaje')
  await button(admin, 'Trimite o probă').click()
  await expect.poll(() => mail.arrived.length).toBeGreaterThan(length)
  await openSettings(admin)
  return mail.arrived.at(-1)!
}

/**
 * Every setting of the specification: how it is changed, and where the change is visible without a reload.
 */
const SETTINGS: Record<
  string,
  { change: (pages: Pages) => Promise<unknown>; see: (pages: Pages) => Promise<unknown> }
> = {
  title: {
    change: type('Titlul paginilor', 'Rezultate „Ștefan”'),
    see: async ({ reviewer, visitor }) => {
      for (const page of [reviewer, visitor]) {
        await expect(page).toHaveTitle('Rezultate „Ștefan”')
        await expect(page.locator('meta[property="og:title"]')).toHaveAttribute(
          'content',
          'Rezultate „Ștefan”',
        )
      }
      expect(await (await fetch(product.url)).text()).toContain('<title>Rezultate „Ștefan”</title>')
    },
  },
  name: {
    change: type('Denumire', 'Centrul Ștefan'),
    see: async ({ reviewer, visitor }) => {
      await expect(reviewer.getByText('Centrul Ștefan').filter({ visible: true })).toBeVisible()
      await expect(visitor.getByText('Centrul Ștefan')).toBeVisible()
    },
  },
  email: {
    change: type('E-mail de contact', 'ajutor@exemplu.test'),
    see: ({ visitor }) => expect(visitor.getByRole('link', { name: 'ajutor@exemplu.test' })).toBeVisible(),
  },
  phone: {
    change: type('Telefon de contact', '0264 555 099'),
    see: ({ visitor }) => expect(visitor.getByRole('link', { name: '0264 555 099' })).toBeVisible(),
  },
  address: {
    change: type('Adresă', 'Str. Nouă nr. 1, Cluj-Napoca'),
    see: ({ visitor }) => expect(visitor.getByText('Str. Nouă nr. 1, Cluj-Napoca')).toBeVisible(),
  },
  color_scheme: {
    change: async ({ admin }) => {
      await admin.getByRole('radio', { name: 'Violet' }).check({ force: true })
      // Previewed here before it is saved, and nowhere else.
      await expect(admin.locator('html')).toHaveAttribute('data-accent', 'violet')
    },
    see: async ({ reviewer, visitor }) => {
      for (const page of [reviewer, visitor])
        await expect(page.locator('html')).toHaveAttribute('data-accent', 'violet')
    },
  },
  branding: {
    change: async ({ admin, visitor }) => {
      await expect(visitor.getByText('Realizat cu Dosar')).toBeVisible()
      await admin.getByRole('switch', { name: '„Realizat cu Dosar”' }).press('Space')
    },
    see: async (pages) => {
      await expect(pages.visitor.getByText('Realizat cu Dosar')).toHaveCount(0)
      expect((await readTestMail(pages)).mail.text).not.toContain('Realizat cu')
    },
  },
  logo: {
    change: sendPicture('Sigla', 1000, 250),
    see: async ({ visitor }) => {
      const logo = visitor.getByRole('img', { name: 'Centrul Ștefan' })
      await expect(logo).toBeVisible()
      expect(await widthOf((await logo.getAttribute('src'))!, visitor)).toBe(800)
    },
  },
  logo_navigation: {
    change: sendPicture('Sigla din navigație', 300, 60),
    see: ({ reviewer }) =>
      expect(reviewer.getByRole('img', { name: 'Centrul Ștefan' }).filter({ visible: true })).toBeVisible(),
  },
  logo_navigation_width: {
    change: type('Lățimea siglei din navigație', '90'),
    see: ({ reviewer }) =>
      expect(
        reviewer.getByRole('img', { name: 'Centrul Ștefan' }).filter({ visible: true }),
      ).toHaveJSProperty('width', 90),
  },
  favicon: {
    change: sendPicture('Pictograma', 512, 512),
    see: async ({ reviewer, visitor }) => {
      for (const page of [reviewer, visitor]) {
        const icon = page.locator('link[rel="icon"]')
        await expect(icon).toHaveAttribute('href', /^\/site-images\//)
        expect(await widthOf((await icon.getAttribute('href'))!, page)).toBe(180)
      }
    },
  },
  from_name: {
    change: type('Numele expeditorului', 'Centrul „Ștefan”'),
    see: async (pages) => expect((await readTestMail(pages)).mail.from?.name).toBe('Centrul „Ștefan”'),
  },
  from_email: {
    change: type('Adresa expeditorului', 'rezultate@exemplu.test'),
    see: async (pages) =>
      expect((await readTestMail(pages)).mail.from?.address).toBe('rezultate@exemplu.test'),
  },
  url: {
    change: type('Adresa site-ului', 'https://rezultate.exemplu.test'),
    see: async ({ visitor }) => {
      const { email } = await makePerson(product)
      await visitor.getByRole('button', { name: 'Ai uitat parola?' }).click()
      // The form before it has a field of the same name.
      await expect(visitor.getByRole('heading', { name: 'Parolă uitată' })).toBeVisible()
      await field(visitor, 'E-mail').fill(email)
      await visitor.getByRole('button', { name: 'Trimite linkul' }).click()
      expect((await mail.waitFor(email)).link).toMatch(/^https:\/\/rezultate\.exemplu\.test\/cont\//)
      await visitor.goto('/')
    },
  },
  features: {
    change: async ({ admin, reviewer }) => {
      await reviewer.getByRole('link', { name: 'Verificare' }).first().click()
      await expect(reviewer).toHaveURL(/\/uploads$/)
      await admin.getByRole('switch', { name: 'Verificarea încărcărilor' }).press('Space')
    },
    see: async ({ reviewer }) => {
      await expect(reviewer).toHaveURL(/\/patients$/)
      await expect(reviewer.getByRole('link', { name: 'Verificare' })).toHaveCount(0)
    },
  },
  login_provider: {
    change: async ({ admin }) => {
      // As if signed in by the provider: this setting ends sessions that began with a password.
      await product.db
        .updateTable('session')
        .set({ provider: 'oidc' })
        .where('user_id', 'in', (eb) => eb.selectFrom('app_user').where('email', '=', REVIEWER).select('id'))
        .execute()
      await admin.getByRole('radio', { name: 'Prin furnizorul de identitate' }).check({ force: true })
    },
    see: async ({ visitor }) => {
      const page = await visitor.context().newPage()
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'Continuă cu Intrarea comună' })).toBeVisible()
      await page.close()
    },
  },
  url_backend: {
    change: async (pages) => {
      await type('Adresa serviciului de date', 'https://date.exemplu.test')(pages)
      await button(pages.admin, 'Salvează').click()
      await expect(field(pages.admin, 'Adresa serviciului de date')).toHaveAccessibleDescription(
        /nu permite această adresă/,
      )
      await type('Adresa serviciului de date', product.url)(pages)
    },
    see: async ({ reviewer }) => {
      // The policy of an open page allows only its own hosts: the page reloads at the next screen.
      await expect(reviewer.getByText('O versiune nouă este disponibilă.')).toBeVisible()
      const policy = (await fetch(product.url)).headers.get('content-security-policy')
      expect(policy).toContain(` ${product.url} ${product.url.replace('http', 'ws')}`)
    },
  },
  locales: {
    change: async () => undefined,
    see: async ({ admin, visitor }) => {
      await expect(section(admin, 'Organizația').getByText('Română (ro)')).toBeVisible()
      await expect(visitor.locator('html')).toHaveAttribute('lang', 'ro')
    },
  },
}

test('every setting takes effect in open browsers, without a reload [1.5] [2.17] [3.2]', async ({ open }) => {
  test.setTimeout(120_000)
  const pages: Pages = {
    admin: await open(ADMIN, here()),
    reviewer: await open(REVIEWER, here()),
    visitor: await open(null, here()),
  }
  await pages.reviewer.goto('/patients')
  await expect(pages.reviewer.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
  await pages.visitor.goto('/')
  await expect(button(pages.visitor, 'Autentificare')).toBeVisible()
  await openSettings(pages.admin)
  for (const page of [pages.reviewer, pages.visitor])
    await page.evaluate(() => Object.assign(window, { isTheSame: true }))
  for (const [name, { change, see }] of Object.entries(SETTINGS)) {
    await test.step(name, async () => {
      await change(pages)
      if (name !== 'locales') await save(pages.admin)
      await lookAt(pages.visitor)
      await see(pages)
    })
  }
  expect(await pages.reviewer.evaluate(() => 'isTheSame' in window)).toBe(true)
  // Restored.
  await product.db
    .deleteFrom('site_setting')
    .where('key', 'in', [
      'url',
      'url_backend',
      'features',
      'login_provider',
      'logo',
      'logo_navigation',
      'favicon',
    ])
    .execute()
})

test('a file that is no picture is rejected with a message, and a picture can be removed again [1.5]', async ({
  open,
  expectError,
}) => {
  expectError(/400/)
  const page = await open(ADMIN, here())
  await openSettings(page)
  const logo = page.getByRole('group', { name: 'Sigla', exact: true })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
  for (const [name, mimeType] of [
    ['sigla.svg', 'image/svg+xml'],
    // With the name of another type.
    ['sigla.png', 'image/png'],
  ] as const) {
    await choosePicture(page, 'Sigla', { name, mimeType, buffer: svg })
    await expect(logo.getByRole('alert')).toContainText('SVG și alte formate nu sunt primite')
  }
  await choosePicture(page, 'Sigla', {
    name: 'a.png',
    mimeType: 'image/png',
    buffer: await drawPicture(40, 20),
  })
  await expect(logo.getByRole('img')).toBeVisible()
  await expect(logo.getByRole('alert')).toHaveCount(0)
  await save(page)
  const address = (await logo.getByRole('img').getAttribute('src'))!
  await page.getByRole('button', { name: 'Elimină: Sigla', exact: true }).click()
  await save(page)
  expect((await fetch(product.url + address)).status).toBe(404)
})

test('text typed while the settings are saved stays, is unsaved, and is saved next [1.5]', async ({
  open,
}) => {
  const page = await open(ADMIN, here())
  await openSettings(page)
  const answered = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    if (route.request().postData()?.includes('changes')) await answered.promise
    await route.fulfill({ response })
  })
  const name = field(page, 'Denumire')
  await name.fill('Centrul')
  const sent = page.waitForRequest((request) => !!request.postData()?.includes('changes'))
  await name.press('Enter')
  await sent
  await expect(name).toBeFocused()
  await name.press('End')
  await page.keyboard.type(' Nou')
  await field(page, 'Adresă').fill('Str. Lungă nr. 3')
  answered.resolve()
  await expect(page.getByText('2 modificări nesalvate')).toBeVisible()
  await expect(name).toHaveValue('Centrul Nou')
  await page.getByRole('link', { name: 'Pacienți' }).first().click()
  await page.getByRole('button', { name: 'Continuă editarea' }).click()
  await save(page)
  await openSettings(page)
  await expect(name).toHaveValue('Centrul Nou')
  await expect(field(page, 'Adresă')).toHaveValue('Str. Lungă nr. 3')
})

test('two administrators lose no concurrent change, of different settings or of one [1.5]', async ({
  open,
}) => {
  const other = await makePerson(product, ADMIN)
  const [one, two] = [await open(ADMIN, here()), await open(other.email, here())]
  for (const page of [one, two]) await openSettings(page)
  await field(one, 'Denumire').fill('Centrul Unu')
  await field(one, 'Titlul paginilor').fill('Titlul meu')
  await field(two, 'Adresă').fill('Str. Doi nr. 2')
  await save(two)
  await button(one, 'Salvează').click()
  const notice = one.getByRole('alert').filter({ hasText: 'Altcineva a salvat între timp' })
  await expect(notice).toContainText('Ce este scris aici a rămas')
  await expect(field(one, 'Adresă')).toHaveValue('Str. Doi nr. 2')
  await expect(field(one, 'Denumire')).toHaveValue('Centrul Unu')

  await field(two, 'Titlul paginilor').fill('Titlul celuilalt')
  await save(two)
  await button(one, 'Salvează').click()
  await expect(notice).toContainText('Amândoi ați schimbat „Titlul paginilor”')
  await save(one)
  await openSettings(two)
  for (const page of [one, two]) {
    await expect(field(page, 'Denumire')).toHaveValue('Centrul Unu')
    await expect(field(page, 'Titlul paginilor')).toHaveValue('Titlul meu')
    await expect(field(page, 'Adresă')).toHaveValue('Str. Doi nr. 2')
  }
})

test('a setting that two administrators changed is shown as the other saved it, and accepted or rejected one by one [1.5]', async ({
  open,
}) => {
  const other = await makePerson(product, ADMIN)
  const [one, two] = [await open(ADMIN, here()), await open(other.email, here())]
  const long = 'Rezultatele analizelor medicale '.repeat(5).trim()
  const logo = (page: Page) => page.getByRole('img', { name: 'Sigla, cum arată acum', exact: true })
  const change = async (page: Page, title: string, phone: string, accent: string, width: number) => {
    await openSettings(page)
    await field(page, 'Titlul paginilor').fill(title)
    await field(page, 'Telefon de contact').fill(phone)
    await page.getByRole('radio', { name: accent, exact: true }).check({ force: true })
    const buffer = await drawPicture(width, 40)
    await choosePicture(page, 'Sigla', { name: 'sigla.png', mimeType: 'image/png', buffer })
    await expect(logo(page)).toBeVisible()
  }
  await change(one, 'Titlul de aici', '0264 555 011', 'Mov', 80)
  await change(two, long, '0264 555 022', 'Roz', 120)
  await save(two)
  await button(one, 'Salvează').click()

  const line = (label: string) =>
    one
      .getByRole('list', { name: 'Ce ați schimbat amândoi' })
      .getByRole('listitem')
      .filter({ has: one.getByText(label, { exact: true }) })
  await expect(line('Titlul paginilor')).toContainText(`varianta salvată: „${long.slice(0, 80)}…”`)
  await expect(line('Telefon de contact')).toContainText('varianta salvată: 0264 555 022')
  await expect(line('Culoarea de accent')).toContainText('varianta salvată: Roz')
  const theirLogo = (await logo(two).getAttribute('src'))!
  await expect(line('Sigla').getByRole('img', { name: 'imaginea salvată' })).toHaveAttribute('src', theirLogo)
  await expectAccessibleInBothModes(one)

  for (const label of ['Titlul paginilor', 'Culoarea de accent', 'Sigla'])
    await button(one, `Ia varianta salvată: ${label}`).click()
  await expect(field(one, 'Titlul paginilor')).toHaveValue(long)
  await expect(logo(one)).toHaveAttribute('src', theirLogo)
  await button(one, 'Înapoi la varianta mea: Titlul paginilor').click()
  await expect(field(one, 'Titlul paginilor')).toHaveValue('Titlul de aici')
  await save(one)
  await openSettings(two)
  await expect(field(two, 'Titlul paginilor')).toHaveValue('Titlul de aici')
  await expect(field(two, 'Telefon de contact')).toHaveValue('0264 555 011')
  await expect(two.getByRole('radio', { name: 'Roz', exact: true })).toBeChecked()
  await expect(logo(two)).toHaveAttribute('src', theirLogo)
})

test('the server’s messages appear under their fields, and unsaved changes are asked about', async ({
  open,
}) => {
  const page = await open(ADMIN, here())
  await openSettings(page)
  await field(page, 'Un link este valabil, de obicei').fill('40')
  await field(page, 'Adresa site-ului').fill('exemplu')
  await button(page, 'Salvează').click()
  await expect(field(page, 'Adresa site-ului')).toHaveAccessibleDescription(/Scrie adresa fără cale/)
  await expect(field(page, 'Adresa site-ului')).toBeFocused()
  await field(page, 'Adresa site-ului').fill('')
  await button(page, 'Salvează').click()
  await expect(field(page, 'Un link este valabil, de obicei')).toHaveAccessibleDescription(/nu poate trece/)

  await page.getByRole('link', { name: 'Pacienți' }).first().click()
  const question = page.getByRole('alertdialog', { name: 'Renunți la modificări?' })
  await question.getByRole('button', { name: 'Continuă editarea' }).click()
  await expect(page.getByText(/modificare nesalvată/)).toBeVisible()
  await button(page, 'Renunță').click()
  await question.getByRole('button', { name: 'Renunță la modificări' }).click()
  await expect(field(page, 'Un link este valabil, de obicei')).toHaveValue('7')
  await expect(button(page, 'Renunță')).toBeFocused()
})

test('open screens use the limits and defaults of the settings [1.5]', async ({ open }) => {
  const [admin, registrar] = [await open(ADMIN, here()), await open(REGISTRAR, here())]
  await registrar.goto('/patients')
  await registrar.getByRole('table').getByRole('link').first().click()
  await expect(registrar.getByText('Cel mult 20 de fișiere, 2 GB fiecare.')).toBeVisible()
  await openSettings(admin)
  await field(admin, 'Un fișier are cel mult').fill('10')
  await field(admin, 'O încărcare are cel mult').fill('3')
  await admin.getByRole('button', { name: /Anunțarea instituțiilor noi/ }).click()
  await admin.getByRole('option', { name: 'O dată pe zi' }).click()
  await save(admin)
  await expect(registrar.getByText('Cel mult 3 fișiere, 10 MB fiecare.')).toBeVisible()
  await admin.goto('/institutions')
  await button(admin, 'Adaugă instituție').click()
  await expect(admin.getByRole('button', { name: /Anunțarea rezultatelor/ })).toContainText('O dată pe zi')

  const { id } = await product.db
    .selectFrom('patient')
    .select('id')
    .where('birth_date', 'is not', null)
    .orderBy('created_at')
    .executeTakeFirstOrThrow()
  const sheet = admin.getByRole('dialog', { name: 'Trimite rezultate' })
  const openSheet = async () => {
    await admin.goto(`/patients/${id}`)
    await button(admin, 'Trimite rezultate').click()
    await expect(sheet.getByText('PIN', { exact: true })).toBeVisible()
  }
  const birthDate = sheet.getByText('Data nașterii', { exact: true })
  await openSheet()
  await expect(sheet.getByLabel('Valabil (zile)')).toHaveValue('7')
  await expect(birthDate).toBeVisible()
  await openSettings(admin)
  await field(admin, 'Un link este valabil, de obicei').fill('3')
  await field(admin, 'Un link este valabil cel mult').fill('5')
  await admin
    .getByRole('group', { name: 'Cine deschide un link dovedește că îi este destinat prin' })
    .getByText('Data nașterii', { exact: true })
    .click()
  await save(admin)
  await openSheet()
  await expect(sheet.getByLabel('Valabil (zile)')).toHaveValue('3')
  await expect(sheet.getByLabel('Valabil (zile)')).toHaveAccessibleDescription('Cel mult 5.')
  await expect(birthDate).toHaveCount(0)
})

test('the search service of the settings is used from the next screen on, and removed at once [1.7]', async ({
  open,
}) => {
  const [admin, registrar] = [await open(ADMIN, here()), await open(REGISTRAR, here())]
  await registrar.goto('/patients')
  await expect(registrar.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
  await openSettings(admin)
  await field(admin, 'Identificatorul aplicației').fill('ABC123')
  await button(admin, 'Salvează').click()
  await expect(field(admin, 'Cheia publică')).toHaveAccessibleDescription(/necesară lângă identificator/)
  await field(admin, 'Cheia publică').fill('cheie-publica')
  await save(admin)
  await expect(registrar.getByText('O versiune nouă este disponibilă.')).toBeVisible()
  await registrar.route(/algolia/, (route) => {
    const hits = [{ objectID: 'abc', name: 'Clinica din serviciu', code: 'SERV', locality: 'Cluj' }]
    return route.fulfill({
      headers: { 'access-control-allow-origin': '*' },
      json: { results: [{ index: 'institutions', hits }] },
    })
  })
  await button(registrar, 'Reîncarcă').click()
  await expect(registrar.getByText('O versiune nouă este disponibilă.')).toHaveCount(0)
  await expect(registrar.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
  const search = async () => {
    await registrar.keyboard.press('Control+k')
    await registrar.getByRole('radio', { name: 'Instituții' }).click()
    await registrar.getByRole('combobox', { name: 'Caută în site' }).fill('spital')
    await expect(registrar.getByRole('option').first()).toBeVisible()
  }
  const ofService = registrar.getByRole('option', { name: /Clinica din serviciu/ })
  await search()
  await expect(ofService).toBeVisible()
  await registrar.keyboard.press('Escape')
  await expect(registrar.getByRole('combobox', { name: 'Caută în site' })).toHaveCount(0)

  await field(admin, 'Identificatorul aplicației').fill('')
  await save(admin)
  await expect(async () => {
    await search()
    const count = await ofService.count()
    await registrar.keyboard.press('Escape')
    await expect(registrar.getByRole('combobox', { name: 'Caută în site' })).toHaveCount(0)
    expect(count).toBe(0)
  }).toPass()
})

test('a phone shows all settings, in both modes [1.5]', async ({ open }) => {
  const page = await open(ADMIN, { ...here(), viewport: { width: 360, height: 740 } })
  await openSettings(page)
  await expectAccessibleInBothModes(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  // The buttons take room only once there is something to save.
  await expect(button(page, 'Salvează')).toHaveCount(0)
  await field(page, 'Titlul paginilor').fill('Nesalvat')
  await expect(button(page, 'Salvează')).toBeInViewport()
  await button(page, 'Renunță').click()
  await button(page, 'Renunță la modificări').click()
  await expect(button(page, 'Salvează')).toHaveCount(0)
  await expect(page.getByRole('radiogroup', { name: 'Culoarea de accent' }).getByRole('radio')).toHaveCount(
    ACCENTS.length,
  )
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectAccessibleInBothModes(page)
})

test('the index moves to a section by keyboard, marks the current section, and does not ask about unsaved changes', async ({
  open,
}) => {
  const admin = await open(ADMIN, here())
  await openSettings(admin)
  const index = admin.getByRole('navigation', { name: 'Secțiunile setărilor' })
  const link = (name: string) => index.getByRole('link', { name, exact: true })
  await expect(link('Organizația')).toHaveAttribute('aria-current', 'location')
  await field(admin, 'Titlul paginilor').fill('Nesalvat')
  for (const [name, width] of [
    ['Funcții', 1440],
    ['Limite și păstrare', 1440],
    ['E-mail', 360],
  ] as const) {
    await admin.setViewportSize({ width, height: 800 })
    await link(name).press('Enter')
    await expect(link(name)).toHaveAttribute('aria-current', 'location')
    await expect(index.locator('[aria-current]')).toHaveCount(1)
    await expect(section(admin, name)).toBeInViewport()
  }
  await expect(admin).toHaveURL(/#e-mail$/)
  // The focus is in the section, and the typed text is still there.
  await admin.keyboard.press('Tab')
  await expect(field(admin, 'Numele expeditorului')).toBeFocused()
  await expect(admin.getByText('1 modificare nesalvată')).toBeVisible()
  await admin.evaluate(() => scrollTo(0, 0))
  await expect(link('Organizația')).toHaveAttribute('aria-current', 'location')
  await expect(link('Organizația')).toBeInViewport({ ratio: 1 })
})
