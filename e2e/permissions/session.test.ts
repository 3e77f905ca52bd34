import { sql } from 'kysely'
import { newId } from '../../server/platform/ids.ts'
import { ADMIN, DEMO_PASSWORD, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { waitForCounts } from '../harness/graphql-line.ts'
import { HOSTILE_ADDRESSES } from '../harness/hostile-addresses.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const SESSION_COOKIE = '__Host-dosar.session'
const TOKEN_COOKIE = 'apollo:default.token'

/** Makes staff for this test, with the password of the demo. */
async function makeStaff({ db }: Product): Promise<{ id: string; email: string }> {
  const model = await db
    .selectFrom('app_user')
    .selectAll()
    .where('email', '=', REVIEWER)
    .executeTakeFirstOrThrow()
  const id = newId()
  const email = `persoana-${id.slice(-8)}@dosar.test`
  const { password_hash, role, features, status } = model
  await db
    .insertInto('app_user')
    .values({ id, email, name: 'Ilinca Țurcanu', password_hash, role, features, status })
    .execute()
  return { id, email }
}

async function signInThroughScreen(page: Page, email: string, password = DEMO_PASSWORD): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Parolă', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
}

async function signOutThroughScreen(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Contul meu|Matei/ })
    .filter({ visible: true })
    .click()
  await page.getByRole('menuitem', { name: 'Deconectare' }).click()
  await expect(page.getByRole('heading', { name: 'Sesiune încheiată' })).toBeVisible()
}

const pathOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, '')

test.describe('signing in', () => {
  test('a guarded page redirects to the sign-in and is opened after it [2.20]', async ({ open }) => {
    const page = await open(null)
    await page.goto('/logs?action=patient.create')
    await expect(page.getByText('Pagina cere autentificare.')).toBeVisible()
    const { searchParams, pathname } = new URL(page.url())
    expect(pathname).toBe('/')
    expect(Object.fromEntries(searchParams)).toEqual({
      error: 'SessionRequired',
      callbackUrl: '/logs?action=patient.create',
    })
    await signInThroughScreen(page, REGISTRAR)
    await expect(page.getByRole('heading', { level: 1, name: 'Jurnal de activitate' })).toBeVisible()
    expect(pathOf(page)).toBe('/logs?action=patient.create')
    // The sign-in page is not in the history any more.
    await page.goBack()
    expect(pathOf(page)).not.toContain('callbackUrl')
  })

  test('a wrong password and an unknown account show the same message [8.2]', async ({ open }) => {
    const page = await open(null)
    for (const email of [REGISTRAR, 'nimeni@dosar.test']) {
      await page.goto('/')
      await signInThroughScreen(page, email, 'nu aceasta este parola')
      await expect(page.getByRole('alert')).toContainText('Adresa sau parola nu sunt corecte.')
      await expect(page.getByLabel('Parolă', { exact: true })).toBeFocused()
      expect(pathOf(page)).toBe('/')
    }
  })

  test('no address in callbackUrl leads to another site [2.20]', async ({ open, product }) => {
    const page = await open(null)
    // One of each kind; a unit test checks all of them.
    for (const kind of ['https://', '//', '/\\', '/patients/..', 'javascript:']) {
      const callbackUrl = HOSTILE_ADDRESSES.find((address) => address.startsWith(kind))!
      await test.step(callbackUrl, async () => {
        await page.goto(`/?${new URLSearchParams({ callbackUrl })}`)
        await signInThroughScreen(page, REVIEWER)
        await expect(
          page.getByRole('heading', { level: 1, name: /Verificare|Pagina nu există/ }),
        ).toBeVisible()
        expect(new URL(page.url()).origin).toBe(product.url)
        expect(await page.title()).not.toBe('x')
        await page.context().clearCookies()
      })
    }
  })

  test('while the session loads there is neither a screen nor a redirect [4.1]', async ({ open }) => {
    for (const [email, path, heading] of [
      [null, '/patients', 'Autentificare'],
      [REVIEWER, '/', 'Verificare'],
      [REVIEWER, '/patients', 'Pacienți'],
      [INSTITUTION, '/patients', /./],
    ] as const) {
      await test.step(`${email ?? 'no session'} at ${path}`, async () => {
        const page = await open(email)
        let response: () => void = () => undefined
        const held = new Promise<void>((resolve) => {
          response = resolve
        })
        await page.route('**/api/auth/session*', async (route) => {
          await held
          await route.continue()
        })
        const requested = page.waitForRequest('**/api/auth/session*')
        await page.goto(path)
        await requested
        // After two frames a decision would be visible.
        await page.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        )
        expect(pathOf(page)).toBe(path)
        await expect(page.getByRole('heading')).toHaveCount(0)
        await expect(page.getByRole('textbox')).toHaveCount(0)
        await expect(page.getByRole('navigation')).toHaveCount(0)
        response()
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
      })
    }
  })
})

test.describe('the session', () => {
  test('has a user with one of three roles, an institution being its users [1.2] [3.1]', async ({
    product,
  }) => {
    const expected = {
      [ADMIN]: 'admin',
      [REGISTRAR]: 'staff',
      [REVIEWER]: 'staff',
      [INSTITUTION]: 'institution',
    }
    for (const [email, role] of Object.entries(expected)) {
      const client = await signInClient(product.url, email)
      const session = await (await client.fetch('/api/auth/session')).json()
      expect(session).toEqual({
        user: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: expect.any(String),
          email,
          role,
          features: expect.any(Array),
          institutions: role === 'institution' ? [expect.stringMatching(/^[0-9a-f-]{36}$/)] : [],
          // The filters with which the inbox begins.
          ...(role === 'institution' && { inboxFilters: expect.any(Object) }),
        },
        expires: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      })
      const token = await (await client.fetch('/api/token')).json()
      expect(token).toEqual({
        expires_at: expect.any(Number),
        id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      })
      const seconds = token.expires_at - Date.now() / 1000
      expect(seconds).toBeGreaterThan(0)
      expect(seconds).toBeLessThanOrEqual(15 * 60)
    }
    const other = sql`update app_user set role = 'doctor' where email = ${REGISTRAR}`.execute(product.db)
    await expect(other).rejects.toThrow(/app_user_role_check/)
  })

  test('is kept in cookies that neither a script nor another site reads; its token expires soon [9.5]', async ({
    open,
  }) => {
    const page = await open(null)
    await page.goto('/')
    await signInThroughScreen(page, REVIEWER)
    await expect(page.getByRole('heading', { level: 1, name: 'Verificare' })).toBeVisible()
    const cookies = await page.context().cookies()
    expect(cookies.map(({ name }) => name)).toContain(SESSION_COOKIE)
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ domain: 'localhost', path: '/', secure: true })
      if (cookie.name.startsWith('apollo:')) {
        expect(cookie).toMatchObject({ httpOnly: false, sameSite: 'Strict' })
        if (cookie.name === TOKEN_COOKIE) expect(cookie.expires - Date.now() / 1000).toBeLessThanOrEqual(900)
      } else {
        expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
        expect(cookie.name).toMatch(/^__Host-/)
      }
    }
    expect(await page.evaluate(() => document.cookie)).not.toContain('session')
  })

  test('is null, and the token too, without a sign-in [3.1]', async ({ product }) => {
    expect(await (await fetch(`${product.url}/api/auth/session`)).json()).toBeNull()
    expect(await (await fetch(`${product.url}/api/token`)).json()).toEqual({
      expires_at: null,
      id_token: null,
    })
  })

  test('ends for a suspended user at the next request, on every route [6.4]', async ({
    open,
    product,
    expectError,
  }) => {
    const { id, email } = await makeStaff(product)
    const client = await signInClient(product.url, email)
    const [file] = await product.db.selectFrom('file').select('id').limit(1).execute()
    await client.runQuery('{ me { id } }')
    expect((await client.fetch(`/files/${file!.id}`)).status).toBe(200)
    const page = await open(email)
    // Without a websocket, which would end the session of the page before its next request.
    await page.routeWebSocket(/./, () => {})
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await waitForCounts(page)

    await product.db.updateTable('app_user').set({ status: 'suspended' }).where('id', '=', id).execute()
    expect((await client.graphql('{ me { id } }')).status).toBe(401)
    expect((await client.fetch(`/files/${file!.id}`)).status).toBe(401)
    expect((await client.fetch('/files', { method: 'POST' })).status).toBe(401)
    expect(await (await client.fetch('/api/auth/session')).json()).toBeNull()

    expectError(/401/)
    await page.getByRole('link', { name: 'Instituții' }).filter({ visible: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Sesiune încheiată' })).toBeVisible()
    expect(pathOf(page)).toBe('/signout')
    await page.goto('/')
    await signInThroughScreen(page, email)
    await expect(page.getByRole('alert')).toContainText('Adresa sau parola nu sunt corecte.')
  })

  test('changes with the role at the next request [6.4]', async ({ open, product }) => {
    const { id, email } = await makeStaff(product)
    const page = await open(email)
    await page.goto('/uploads')
    await expect(page.getByRole('heading', { level: 1, name: 'Verificare' })).toBeVisible()
    const client = await signInClient(product.url, email)
    const queue = '{ uploads(first: 1) { nodes { id } } }'
    expect((await client.graphql(queue)).errors).toEqual([])
    await product.db.updateTable('app_user').set({ features: [] }).where('id', '=', id).execute()
    expect((await client.graphql(queue)).errors).toEqual([
      expect.objectContaining({ extensions: { code: 'FORBIDDEN' } }),
    ])
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
    expect(pathOf(page)).toBe('/patients')
  })
})

test.describe('signing out', () => {
  test('in one tab, while another loads its scripts, leads to the sign-in there [4.3]', async ({ open }) => {
    const page = await open(REVIEWER)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    const other = await page.context().newPage()
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route(/\/assets\/.*\.js$/, async (route) => {
      await released
      await route.continue()
    })
    // The other tab knows the user already.
    const known = other.waitForResponse(/\/api\/auth\/session/)
    await other.goto('/patients', { waitUntil: 'commit' })
    await (await known).finished()
    await signOutThroughScreen(page)
    release()
    await expect(other.getByRole('heading', { level: 1, name: 'Autentificare' })).toBeVisible()
    expect(new URL(other.url()).searchParams.get('callbackUrl')).toBe('/patients')
  })

  test('in one tab signs out in every tab, and leaves no data behind, with and without a network [2.2] [7.5]', async ({
    open,
    expectError,
  }) => {
    const page = await open(REVIEWER)
    const openPatient = async (tab: Page) => {
      await tab.goto('/patients')
      const first = tab.getByRole('table').getByRole('link').first()
      const name = (await first.textContent())!
      await first.click()
      await expect(tab.getByRole('heading', { level: 1, name })).toBeVisible()
      return name
    }
    const name = await openPatient(page)
    const other = await page.context().newPage()
    await openPatient(other)

    await signOutThroughScreen(page)
    expect(pathOf(page)).toBe('/signout')
    // The other tab was not used.
    await expect(other.getByRole('heading', { level: 1, name: 'Sesiune încheiată' })).toBeVisible()
    expect(pathOf(other)).toBe('/signout')

    // Going back shows no patient's file.
    expectError(/net::ERR_INTERNET_DISCONNECTED/)
    for (const tab of [page, other]) {
      await tab.context().setOffline(tab === other)
      for (let step = 0; step < 2; step += 1) {
        await tab.goBack()
        await expect(tab.getByRole('heading', { level: 1, name: 'Autentificare' })).toBeVisible()
        await expect(tab.getByText(name)).toHaveCount(0)
      }
    }
    await page.context().setOffline(false)
    const left = await page.evaluate(async () => ({
      local: Object.keys(localStorage).filter((key) => key !== 'dosar-color-mode'),
      session: Object.keys(sessionStorage).filter((key) => !key.startsWith('tsr-scroll')),
      databases: (await indexedDB.databases()).map(({ name }) => name),
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker?.getRegistrations())?.length ?? 0,
    }))
    expect(left).toEqual({ local: [], session: [], databases: [], caches: [], workers: 0 })
    const cookies = (await page.context().cookies()).map(({ name }) => name)
    expect(cookies).not.toContain(SESSION_COOKIE)
    expect(cookies).not.toContain(TOKEN_COOKIE)
  })

  test('leaves no message to the person who signs in next in the tab', async ({ open, expectError }) => {
    expectError(/assets\/search-/)
    const page = await open(REVIEWER)
    await page.route('**/assets/search-*.js', (route) => route.abort())
    await page.goto('/uploads')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await signOutThroughScreen(page)
    await page.getByRole('link', { name: 'Autentifică-te din nou' }).click()
    await signInThroughScreen(page, REGISTRAR)
    await expect(page.getByRole('navigation', { name: 'Principală' }).first()).toBeVisible()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  })
})
