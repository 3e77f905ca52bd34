import { errorOf } from '../../shared/errors.ts'
import { UNREACHABLE_MESSAGE } from '../../shared/unavailable-messages.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { REGISTRAR } from '../harness/accounts.ts'
import { expect, type Page, test } from '../harness/test.ts'

const json = 'application/json'
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

const FAULT_MESSAGE = errorOf('INTERNAL_SERVER_ERROR').message

/** Responses to the list of institutions, and the sentence that the user reads. */
const RESPONSES = [
  ['status 500 [8.7]', { status: 500, contentType: json, body: '{}' }, FAULT_MESSAGE],
  ['status 503 [8.7]', { status: 503, contentType: json, body: '{}' }, errorOf('UNAVAILABLE').message],
  ['status 429 [8.7]', { status: 429, contentType: json, body: '{}' }, errorOf('TOO_MANY').message],
  ['neither data nor errors [8.8]', { status: 200, contentType: json, body: '{}' }, FAULT_MESSAGE],
  [
    'half a response [8.9]',
    { status: 200, contentType: json, body: '{"data":{"institutions":' },
    FAULT_MESSAGE,
  ],
  ['a page of some proxy [8.9]', { status: 200, contentType: 'text/html', body: '<html>' }, FAULT_MESSAGE],
  ['no server [8.13]', null, UNREACHABLE_MESSAGE],
  [
    'an expected error [8.13]',
    {
      status: 200,
      contentType: json,
      body: JSON.stringify({
        data: null,
        errors: [{ message: errorOf('NOT_FOUND').message, extensions: { code: 'NOT_FOUND' } }],
      }),
    },
    errorOf('NOT_FOUND').message,
  ],
] as const

for (const [what, response, sentence] of RESPONSES) {
  test(`a list response with ${what} shows a Romanian sentence and a next step`, async ({
    open,
    expectError,
  }) => {
    expectError(/status of (429|50\d)|ERR_CONNECTION_RESET/)
    const page = await open(REGISTRAR)
    await page.goto('/patients')
    await expect(title(page, 'Pacienți')).toBeVisible()
    await page.route('**/graphql', async (route) => {
      if (!/Institutions/.test(route.request().postData() ?? '')) await route.continue()
      else if (response) await route.fulfill(response)
      else await route.abort('connectionreset')
    })
    await page
      .getByRole('link', { name: /^Instituții/ })
      .first()
      .click()
    await expect(title(page, 'Instituții')).toBeVisible()
    const alert = page.getByRole('alert').first()
    await expect(alert).toContainText(sentence)
    await expectAccessible(page)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Încearcă din nou' }).click()
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
}

test('every guarded page redirects a visitor without a session to sign in, and back [8.4] [2.20] [4.1]', async ({
  open,
}) => {
  const page = await open(null)
  for (const path of [
    '/patients',
    '/uploads?mine=true',
    '/institution',
    '/admin',
    '/logs',
    '/bulk',
    '/dashboard',
  ]) {
    await page.goto(path)
    await expect(title(page, 'Autentificare')).toBeVisible()
    const { pathname, searchParams } = new URL(page.url())
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/',
      { error: 'SessionRequired', callbackUrl: path },
    ])
    await expect(page.getByText('Pagina cere autentificare.')).toBeVisible()
  }
})

test('every error code of a failed sign-in in the address is shown in Romanian [8.2]', async ({ open }) => {
  const page = await open(null)
  for (const [error, sentence] of [
    ['CredentialsSignin', 'Adresa sau parola nu sunt corecte.'],
    ['AccessDenied', 'Contul nu are acces aici. Îl poate da administratorul.'],
    ['Configuration', 'Autentificarea nu este configurată corect. Trebuie anunțat administratorul.'],
    ['<b>unknown</b>', 'Autentificarea nu a reușit.'],
  ] as const) {
    await page.goto(`/?${new URLSearchParams({ error })}`)
    await expect(page.getByText(sentence)).toBeVisible()
    await expect(page.getByText('unknown')).toHaveCount(0)
  }
  await expectAccessible(page)
})
