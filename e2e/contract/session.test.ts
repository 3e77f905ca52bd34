import { chromium } from '@playwright/test'
import { DEMO_PASSWORD, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { waitForCounts } from '../harness/graphql-line.ts'
import { setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const OUT = 'Sesiune încheiată'

const title = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
const pathOf = (page: Page) => page.url().replace(/^https?:\/\/[^/]+/, '')
const visible = (page: Page, role: 'link' | 'button', name: string | RegExp) =>
  page.getByRole(role, { name }).filter({ visible: true })

async function signInThroughScreen(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Parolă', { exact: true }).fill(DEMO_PASSWORD)
  await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
}

async function chooseSignOut(page: Page): Promise<void> {
  await visible(page, 'button', /^(Contul meu|Dr\. Matei|Ioana|Radu)/).click()
  await page.getByRole('menuitem', { name: 'Deconectare' }).click()
}

/** Collects the session calls of a page from now on, in order. */
function watchCalls(page: Page) {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    // The reports of the user's activity are sent by their own clock; the websocket has a token of its own.
    if (!search.startsWith('?audience=') && /^\/api\/(auth\/(?!use$)|token$)/.test(pathname))
      calls.push(pathname)
  })
  return { take: () => calls.splice(0) }
}

/** Dispatches the event that a page becomes visible again. */
const showPageAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))

async function endSessions({ db }: Product, email: string): Promise<void> {
  const user = db.selectFrom('app_user').select('id').where('email', '=', email)
  await db.deleteFrom('session').where('user_id', 'in', user).execute()
}

test('is refreshed when the page is visible again, or periodically, as the site settings say [4.4]', async ({
  open,
  product,
}) => {
  const page = await open(REVIEWER)
  const calls = watchCalls(page)
  const countSessions = () => calls.take().filter((path) => path === '/api/auth/session').length
  const openQueue = async () => {
    await page.goto('/uploads')
    await expect(title(page, 'Verificare')).toBeVisible()
    countSessions()
  }
  await page.clock.install()
  await openQueue()
  await showPageAgain(page)
  await expect.poll(countSessions).toBe(1)
  await page.clock.fastForward(5 * MINUTE)
  expect(countSessions()).toBe(0)

  const changed = { session_refresh_visible: false, session_refresh_ms: 60_000 }
  const settings = page.waitForResponse(
    async (response) =>
      response.url().endsWith('/api/site') &&
      (await response.json()).session_refresh_ms === changed.session_refresh_ms,
  )
  const putBack = [
    await setSetting(product, 'session_refresh_visible', changed.session_refresh_visible),
    await setSetting(product, 'session_refresh_ms', changed.session_refresh_ms),
  ]
  try {
    // The server hears of what has changed in the database, and the page from its socket or when it becomes visible.
    await expect
      .poll(async () => (await page.context().request.get('/api/site')).json())
      .toMatchObject(changed)
    await showPageAgain(page)
    await (await settings).finished()
    await page.evaluate(() => fetch('/healthz'))
    // It may have had the settings before, by its socket: then it has not read the session again.
    countSessions()
    await showPageAgain(page)
    expect(countSessions()).toBe(0)
    await page.clock.fastForward(MINUTE + 1_000)
    await expect.poll(countSessions).toBe(1)
  } finally {
    for (const restore of putBack) await restore()
  }
})

test('calls of the session, the token and the CSRF token are retried once, a form never [7.12]', async ({
  open,
  expectError,
}) => {
  expectError(/status of 503 /)
  const page = await open(null)
  const calls = new Map<string, number>()
  await page.route(/\/api\/(auth\/|token$)/, (route) => {
    const { pathname } = new URL(route.request().url())
    const count = (calls.get(pathname) ?? 0) + 1
    calls.set(pathname, count)
    return count === 1 ? route.fulfill({ status: 503, json: {} }) : route.continue()
  })
  await page.goto('/patients')
  await expect(title(page, 'Autentificare')).toBeVisible()
  expect(calls.get('/api/auth/session')).toBe(2)
  await signInThroughScreen(page, REGISTRAR)
  await expect(page.getByText('Serviciul nu răspunde')).toBeVisible()
  expect([calls.get('/api/auth/csrf'), calls.get('/api/auth/callback/local')]).toEqual([2, 1])
  await page.getByRole('button', { name: 'Autentificare', exact: true }).click()
  await expect(title(page, 'Pacienți')).toBeVisible()
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  expect(calls.get('/api/token')).toBe(2)
})

test.describe('the clock of the browser', () => {
  for (const [name, skew] of [
    ['10 minutes slow', -10 * MINUTE],
    ['10 minutes fast', 10 * MINUTE],
    ['a day slow', -DAY],
    ['a day fast', DAY],
  ] as const) {
    test(`may be ${name}: sign-in, lists and token renewals work [4.2] [7.6]`, async ({ open }) => {
      const page = await open(null)
      await page.clock.install({ time: Date.now() + skew })
      const calls = watchCalls(page)
      await page.goto('/uploads')
      await signInThroughScreen(page, REVIEWER)
      await expect(title(page, 'Verificare')).toBeVisible()
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      expect(calls.take().filter((path) => path === '/api/token')).toHaveLength(1)

      // The token is valid, so no request for another is sent.
      await visible(page, 'link', 'Pacienți').click()
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      expect(calls.take()).toEqual([])

      // Three quarters of an hour later, three renewals at most; the user stays signed in.
      for (let round = 0; round < 3; round += 1) {
        const renewed = page.waitForResponse('**/api/token')
        await page.clock.fastForward(15 * MINUTE)
        await visible(page, 'link', round % 2 ? 'Pacienți' : 'Jurnal').click()
        await expect(title(page, round % 2 ? 'Pacienți' : 'Jurnal de activitate')).toBeVisible()
        await expect(page.getByRole('alert')).toHaveCount(0)
        // The next quarter of an hour must not pass while the request is under way.
        await (await renewed).finished()
        expect(calls.take()).toEqual(['/api/token'])
      }
    })
  }
})

test.describe('the token', () => {
  test('that has expired signs out where the session has ended too [4.2] [8.6]', async ({
    open,
    product,
    expectError,
  }) => {
    // What the page asks when it is idle may come after the end of the session.
    expectError(/status of 401/)
    const page = await open(REGISTRAR)
    await page.clock.install()
    await page.goto('/logs')
    await expect(title(page, 'Jurnal de activitate')).toBeVisible()
    // The requests with the first token get responses.
    await expect(page.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
    await endSessions(product, REGISTRAR)
    await page.clock.fastForward(16 * MINUTE)
    // Background requests of the page may have got 401 already.
    await visible(page, 'link', 'Instituții').or(title(page, OUT)).first().click()
    await expect(title(page, OUT)).toBeVisible()
    expect(pathOf(page)).toBe('/signout')
  })

  test('is kept in a cookie for the next page: no request is repeated [9.5]', async ({ open }) => {
    const page = await open(REVIEWER)
    const calls = watchCalls(page)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    expect(calls.take()).toEqual(['/api/auth/session', '/api/token'])
    // From screen to screen and back.
    for (const name of ['Instituții', 'Jurnal', 'Pacienți']) {
      await visible(page, 'link', name).click()
      await expect(visible(page, 'link', name)).toHaveAttribute('aria-current', 'page')
      await expect(page.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
    }
    await page.goBack()
    await page.goForward()
    expect(calls.take()).toEqual([])
    // On a reloaded page, and in another tab.
    await page.reload()
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    expect(calls.take()).toEqual(['/api/auth/session'])
    const other = await page.context().newPage()
    const otherCalls = watchCalls(other)
    await other.goto('/logs')
    await expect(title(other, 'Jurnal de activitate')).toBeVisible()
    await expect(other.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
    expect(otherCalls.take()).toEqual(['/api/auth/session'])
  })
})

test.describe('the session', () => {
  test('is requested with the path of the page as callbackUrl [7.3]', async ({ open }) => {
    const page = await open(REVIEWER)
    const requested = page.waitForRequest('**/api/auth/session*')
    await page.goto('/patients?q=pop')
    expect(new URL((await requested).url()).search).toBe('?callbackUrl=%2Fpatients')
  })

  test('is refreshed when the page becomes visible again; an unreachable server changes nothing [4.4]', async ({
    open,
    expectError,
  }) => {
    const page = await open(REVIEWER)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    const calls = watchCalls(page)
    // A refresh reads the settings last.
    const isOver = page.waitForResponse('**/api/site')
    await showPageAgain(page)
    await expect.poll(() => calls.take()).toEqual(['/api/auth/session'])
    await isOver

    expectError(/api\/auth\/session/)
    await page.route('**/api/auth/session*', (route) => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await showPageAgain(page)
    await failed
    await visible(page, 'link', 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
  })

  for (const [how, hasSocket] of [
    ['by itself', true],
    ['when it becomes visible, where no socket notifies it', false],
  ] as const) {
    test(`of another user, begun in another tab, replaces that of the page ${how} [4.4]`, async ({
      open,
    }) => {
      const page = await open(REVIEWER)
      if (!hasSocket) await page.routeWebSocket('**/graphql', () => undefined)
      await page.goto('/patients')
      await expect(visible(page, 'link', 'Verificare')).toBeVisible()
      // The page's own requests have ended and cannot reveal the change.
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      await waitForCounts(page)
      const { request } = page.context()
      const { csrfToken } = await (await request.get('/api/auth/csrf')).json()
      const form = { csrfToken, json: 'true', email: REGISTRAR, password: DEMO_PASSWORD }
      const reloaded = page.waitForEvent('load')
      await request.post('/api/auth/callback/local', { form })
      if (!hasSocket) await showPageAgain(page)
      await reloaded
      await expect(title(page, 'Pacienți')).toBeVisible()
      await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
      // A registrar cannot review.
      await expect(visible(page, 'link', 'Verificare')).toHaveCount(0)
    })
  }

  test('begun in one tab leads the sign-in page of another to its target path [2.20]', async ({ open }) => {
    const page = await open(null)
    await page.goto('/logs?action=patient.create')
    await expect(title(page, 'Autentificare')).toBeVisible()
    const other = await page.context().newPage()
    await other.goto('/')
    await signInThroughScreen(other, REGISTRAR)
    await expect(title(other, 'Pacienți')).toBeVisible()
    await expect(title(page, 'Jurnal de activitate')).toBeVisible()
    expect(pathOf(page)).toBe('/logs?action=patient.create')
  })
})

test.describe('a response', () => {
  test('401 signs out, also on the server, and leads to /signout; 403 does not [4.3] [8.5]', async ({
    open,
    expectError,
  }) => {
    expectError(/40[13]/)
    const page = await open(REGISTRAR)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    const response = (status: number) =>
      page.route('**/graphql', (route) =>
        route.fulfill({ status, json: { code: status === 401 ? 'UNAUTHENTICATED' : 'FORBIDDEN' } }),
      )
    await response(403)
    await visible(page, 'link', 'Instituții').click()
    await expect(page.getByRole('alert').first()).toBeVisible()
    expect(pathOf(page)).toBe('/institutions')
    await page.unrouteAll()
    const ended = page.waitForRequest('**/api/auth/signout')
    await response(401)
    // Requests in idle time may have got 401 already.
    await visible(page, 'link', 'Jurnal').or(title(page, OUT)).first().click()
    await expect(title(page, OUT)).toBeVisible()
    expect(pathOf(page)).toBe('/signout')
    await ended
    // Its response may come after the page was left.
    const cookies = async () => (await page.context().cookies()).map(({ name }) => name)
    await expect.poll(cookies).not.toContain('__Host-dosar.session')
    expect(await cookies()).not.toContain('apollo:default.token')
  })
})

test.describe('signing out', () => {
  test('that does not reach the server shows an error and can be retried [7.5] [8.1]', async ({
    open,
    expectError,
  }) => {
    expectError(/ERR_INTERNET_DISCONNECTED/)
    const page = await open(REVIEWER)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await page.context().setOffline(true)
    await chooseSignOut(page)
    const toast = page.getByRole('alertdialog').filter({ hasText: 'Sesiunea este încă deschisă' })
    await expect(toast).toContainText('Deconectarea nu a ajuns la server.')
    expect(pathOf(page)).toBe('/patients')
    await page.context().setOffline(false)
    await toast.getByRole('button', { name: 'Încearcă din nou' }).click()
    await expect(title(page, OUT)).toBeVisible()
    expect(await (await page.context().request.get('/api/auth/session')).json()).toBeNull()
  })

  test('leaves no page in the back/forward cache', async ({ product }) => {
    // Playwright disables the back/forward cache; users have it.
    const browser = await chromium.launch({
      ...test.info().project.use.launchOptions,
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
    const page = await browser.newPage({ baseURL: product.url })
    await page.goto('/patients')
    await signInThroughScreen(page, REVIEWER)
    const first = page.getByRole('table').getByRole('link').first()
    const name = (await first.textContent())!
    await first.click()
    await expect(title(page, name)).toBeVisible()
    await page.goto('/logs')
    await expect(title(page, 'Jurnal de activitate')).toBeVisible()
    await chooseSignOut(page)
    await expect(title(page, OUT)).toBeVisible()
    for (let step = 0; step < 3; step += 1) {
      await page.goBack()
      await expect(title(page, 'Autentificare')).toBeVisible()
      await expect(page.getByText(name)).toHaveCount(0)
    }
    // Whether or not the browser kept the page, it does not return as it was.
    const kept = await page.evaluate(() => {
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      return document.documentElement.checkVisibility()
    })
    expect(kept).toBe(false)
    const reloaded = page.waitForEvent('load')
    await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await reloaded
    await expect(title(page, 'Autentificare')).toBeVisible()
    await browser.close()
  })
})

test.describe('another login provider', () => {
  const chooseProvider = ({ db }: Product, value: string) =>
    db
      .insertInto('site_setting')
      .values({ key: 'login_provider', value: JSON.stringify(value) })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: JSON.stringify(value) }))
      .execute()

  test('is the target of a guarded page, with the path to return to; after 60 s on the page a message is shown [2.20] [9.3]', async ({
    open,
    product,
    expectError,
  }) => {
    await chooseProvider(product, 'oidc')
    try {
      const page = await open(null)
      const forms: Record<string, string>[] = []
      let login = 'https://id.exemplu.test/login'
      await page.route('**/api/auth/signin/oidc', (route) => {
        forms.push(Object.fromEntries(new URLSearchParams(route.request().postData()!)))
        return route.fulfill({ json: { url: login } })
      })
      await page.route('https://id.exemplu.test/**', (route) =>
        route.request().url().endsWith('/login')
          ? route.fulfill({ contentType: 'text/html', body: '<h1>Cheia casei</h1>' })
          : route.fulfill({ status: 204 }),
      )
      await page.goto('/logs?action=patient.create')
      await expect(title(page, 'Cheia casei')).toBeVisible()
      expect(forms).toEqual([
        { callbackUrl: '/logs?action=patient.create', csrfToken: expect.stringMatching(/\S/), json: 'true' },
      ])

      // A provider that responds without a page leaves the browser on this page.
      login = 'https://id.exemplu.test/nothing'
      expectError(/id\.exemplu\.test\/nothing/)
      await page.clock.install()
      const left = page.waitForRequest(login)
      await page.goto('/logs')
      await left
      await page.clock.fastForward(59_000)
      await expect(title(page, 'Autentificare')).toHaveCount(0)
      await page.clock.fastForward(1500)
      await expect(title(page, 'Autentificare')).toBeVisible()
      expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
        error: 'OAuthSignin',
        callbackUrl: '/logs',
      })
      await expect(page.getByText('Autentificarea nu a reușit.')).toBeVisible()
      login = 'https://id.exemplu.test/login'
      await page.getByRole('button', { name: /^Continuă cu/ }).click()
      await expect(title(page, 'Cheia casei')).toBeVisible()
      expect(forms.at(-1)).toMatchObject({ callbackUrl: '/logs' })
    } finally {
      await chooseProvider(product, 'local')
    }
  })
})
