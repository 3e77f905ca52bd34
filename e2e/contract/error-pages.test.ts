import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const SESSION = '**/api/auth/session*'
/** The script that the page begins with, and the one of a screen. */
const ENTRY = '**/assets/index-*.js'
const LOGS = '**/assets/logs-screen-*.js'
const ORGANISATION = 'Centrul de Diagnostic Demo'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('an address that no screen has is a 404 with its path, whoever asks and however they come [2.15] [8.3]', async ({
  open,
  expectFault,
}) => {
  expectFault(/status of 404 /)
  for (const who of [null, REGISTRAR]) {
    const page = await open(who)
    for (const [path, shown] of [
      ['/nu-exista', '/nu-exista'],
      ['/patients/a/b?q=1', '/patients/a/b'],
      ['/%3Cimg%20src=x%3E', null],
    ] as const) {
      const response = await page.goto(path)
      expect(response?.status()).toBe(404)
      await expect(title(page, 'Pagina nu există')).toBeVisible()
      await expect(page.getByTestId('error-message')).toHaveText(
        shown === null ? /^Page not found: \// : `Page not found: ${shown}`,
      )
      await expect(page.locator('img')).toHaveCount(0)
    }
  }
  // An institution has one home: there is no other address for it, found or not [6.2].
  const page = await open(INSTITUTION)
  await page.goto('/nu-exista')
  await expect(page).toHaveURL('/institution')
})

test('no server at the start: the page says so, and goes on when it is back [2.16] [8.12]', async ({
  open,
  expectFault,
}) => {
  expectFault(/api\/auth\/session|Failed to fetch/)
  const page = await open(REGISTRAR)
  await page.route(SESSION, (route) => route.abort())
  await page.goto('/patients')
  await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
  await expect(page.getByText('500 · Internal Server Error')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(SESSION)
  await page.getByRole('button', { name: 'Încearcă din nou' }).click()
  await expect(title(page, 'Pacienți')).toBeVisible()
})

test('a server that fails at the start: the page gives the request, the time and the organisation [2.16] [8.12]', async ({
  open,
  expectFault,
}) => {
  expectFault(/status of (500|404) |callbackUrl=.*: status 500/)
  const page = await open(REGISTRAR)
  await page.route(SESSION, (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'cererea-mea-17' }, body: '{}' }),
  )
  await page.goto('/patients')
  await expect(title(page, 'Ceva nu a mers')).toBeVisible()
  await expect(page.getByText('cererea cererea-mea-17')).toBeVisible()
  await expect(page.getByText(ORGANISATION).or(page.getByAltText(ORGANISATION))).toBeVisible()
  await page.unroute(SESSION)
  await page.goto('/nu-exista')
  await expect(title(page, 'Pagina nu există')).toBeVisible()
  await expect(page.getByText(ORGANISATION).or(page.getByAltText(ORGANISATION))).toBeVisible()
})

for (const [how, script] of [
  ['does not come', null],
  ['cannot be run by this browser', 'throw new SyntaxError("Unexpected token")'],
] as const) {
  test(`an application that ${how} leaves no empty page [2.16] [8.12]`, async ({ open, expectFault }) => {
    expectFault(/assets\/index-|Unexpected token/)
    const page = await open(null)
    await page.route(ENTRY, (route) =>
      script === null ? route.abort() : route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    await page.goto('/')
    await expect(title(page, 'Aplicația nu a pornit')).toBeVisible()
    await expect(page.getByText('500 · Internal Server Error')).toBeVisible()
    await expectAccessible(page)
    await page.unroute(ENTRY)
    await page.getByRole('button', { name: 'Încearcă din nou' }).click()
    await expect(title(page, 'Autentificare')).toBeVisible()
    await expect(title(page, 'Aplicația nu a pornit')).toHaveCount(0)
  })
}

test('a screen that breaks gives way to the server-error page, which knows the status and leads on [2.16] [8.12]', async ({
  open,
  expectFault,
}) => {
  expectFault(/broken on purpose/)
  const page = await open(REGISTRAR)
  const breakWith = async (facts: string) => {
    await page.unroute(LOGS)
    await page.route(LOGS, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `export function LogsScreen() { throw Object.assign(new Error('broken on purpose'), ${facts}) }`,
      }),
    )
  }
  for (const [facts, heading, message] of [
    ['{}', 'Ceva nu a mers', '500 · Internal Server Error'],
    ['{ status: 418 }', 'Ceva nu a mers', '418 · Internal Server Error'],
    ['{ statusCode: 503 }', 'Serverul nu răspunde', '503 · Internal Server Error'],
    ['{ status: 404 }', 'Pagina nu există', '404 · Page Not Found'],
  ] as const) {
    await breakWith(facts)
    await page.goto('/patients')
    await page.getByRole('link', { name: 'Jurnal de activitate', exact: true }).click()
    await expect(title(page, heading)).toBeVisible()
    await expect(page.getByText(message, { exact: true })).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await page.getByRole('link', { name: 'Mergi la prima pagină' }).click()
    await expect(title(page, 'Pacienți')).toBeVisible()
  }
  // The way back of the browser leaves the broken screen too.
  await breakWith('{}')
  await page.getByRole('link', { name: 'Jurnal de activitate', exact: true }).click()
  await expect(title(page, 'Ceva nu a mers')).toBeVisible()
  await page.goBack()
  await expect(title(page, 'Pacienți')).toBeVisible()
})

test('what breaks beside the screen takes nothing away from who is typing [8.12]', async ({
  open,
  expectFault,
}) => {
  expectFault(/broken on purpose/)
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('searchbox').fill('Ana')
  const broken = page.waitForEvent('pageerror')
  await page.evaluate(() => {
    void Promise.reject(new Error('broken on purpose'))
    setTimeout(() => {
      throw new Error('broken on purpose')
    })
  })
  await broken
  await expect(title(page, 'Pacienți')).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveValue('Ana')
})
