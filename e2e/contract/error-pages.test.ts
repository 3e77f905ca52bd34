import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const SESSION = '**/api/auth/session*'
/** The first script of the page, and the script of a screen. */
const ENTRY = '**/assets/index-*.js'
const LOGS = '**/assets/logs-screen-*.js'
const ORGANISATION = 'Centrul de Diagnostic Demo'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test('an unknown address is a 404 with its path, for every user and navigation [2.15] [8.3]', async ({
  open,
  expectError,
}) => {
  expectError(/status of 404 /)
  for (const who of [null, REGISTRAR]) {
    const page = await open(who)
    for (const [path, shown] of [
      ['/nu-exista', '/nu-exista'],
      ['/patients/a/b?q=1', '/patients/a/b?q=1'],
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
  // An institution has one page: every other address redirects there [6.2].
  const page = await open(INSTITUTION)
  await page.goto('/nu-exista')
  await expect(page).toHaveURL('/institution')
})

test('no server at the start: the page says so, and continues when the server is back [2.16] [8.12]', async ({
  open,
  expectError,
}) => {
  expectError(/api\/auth\/session|Failed to fetch/)
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

test('a server error at the start: the page shows the request, the time and the organisation [2.16] [8.12]', async ({
  open,
  expectError,
}) => {
  expectError(/status of (500|404) |callbackUrl=.*: status 500/)
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
  test(`an application that ${how} leaves no empty page [2.16] [8.12]`, async ({ open, expectError }) => {
    expectError(/assets\/index-|Unexpected token/)
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

test('a failing screen is replaced by the server-error page, with the status and a link [2.16] [8.12]', async ({
  open,
  expectError,
}) => {
  expectError(/broken on purpose/)
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
  // The browser's back button leaves the broken screen too.
  await breakWith('{}')
  await page.getByRole('link', { name: 'Jurnal de activitate', exact: true }).click()
  await expect(title(page, 'Ceva nu a mers')).toBeVisible()
  await page.goBack()
  await expect(title(page, 'Pacienți')).toBeVisible()
})

test('an error of a handler or a promise covers the page, is reported, and gives back what was typed [2.16] [8.12]', async ({
  open,
  expectError,
}) => {
  expectError(/broken on purpose/)
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).first().click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Nume', exact: true })
  await field.fill('Popescu')
  for (const how of ['promise', 'handler'] as const) {
    const report = page.waitForRequest('**/api/page-errors')
    await page.evaluate((how) => {
      const error = Object.assign(new Error('broken on purpose'), {
        requestId: '0f3c7700-1111-4222-8333-444455556666',
      })
      if (how === 'promise') void Promise.reject(error)
      else
        setTimeout(() => {
          throw error
        })
    }, how)
    await expect(title(page, 'Ceva nu a mers')).toBeVisible()
    await expect(page.getByText('500 · Internal Server Error')).toBeVisible()
    await expect(page.getByText(/cererea 0f3c7700/)).toBeVisible()
    await expectAccessible(page)
    const sent = (await report).postDataJSON()
    expect(sent).toMatchObject({ name: 'Error', screen: '/patients' })
    expect(JSON.stringify(sent)).not.toContain('broken')
    expect((await (await report).response())?.status()).toBe(204)
    // The screen below is inert while it is covered.
    await page.keyboard.type('x')
    await page.getByRole('button', { name: 'Înapoi la pagină' }).click()
    await expect(title(page, 'Ceva nu a mers')).toHaveCount(0)
    await expect(field).toHaveValue('Popescu')
  }
})

test('no key decides about the upload under the error page [8.12]', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/broken on purpose/)
  const { id } = await makeUpload(product.db, await openDiskStorage(`${product.dataDir}/files`), {
    state: 'in_review',
  })
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${id}`)
  await expect(page.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
  await page.evaluate(() => void Promise.reject(new Error('broken on purpose')))
  await expect(title(page, 'Ceva nu a mers')).toBeVisible()
  await page.keyboard.press('a')
  await page.getByRole('button', { name: 'Înapoi la pagină' }).click()
  await expect(page.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
  const { state } = await product.db
    .selectFrom('upload')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(state).toBe('in_review')
})

test('a remark of the browser about the layout covers nothing [8.12]', async ({ open, expectError }) => {
  // The rejection has no stack.
  expectError(/^page: $/)
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await expect(title(page, 'Pacienți')).toBeVisible()
  await page.evaluate(() => {
    dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop limit exceeded' }))
    void Promise.reject(new DOMException('broken on purpose', 'AbortError'))
  })
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await expect(title(page, 'Pacienți')).toBeVisible()
  await expect(title(page, 'Ceva nu a mers')).toHaveCount(0)
})

test('a missing CSRF token at the sign-out: the error page has its status and text [8.1]', async ({
  open,
  expectError,
}) => {
  expectError(/Could not fetch CSRF Token/)
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.route('**/api/auth/csrf', (route) => route.fulfill({ json: {} }))
  await page
    .getByRole('button', { name: /^Contul meu|Ștefania/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: 'Deconectare' }).click()
  await expect(page.getByText('400 · Could not fetch CSRF Token for signing out')).toBeVisible()
})
