import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makePerson } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { expect, test } from '../harness/test.ts'

const heading = { level: 1 } as const
/** The browser's message about an unknown address. */
const NOT_FOUND = /status of 404 /

/** Reads the page as served, which search engines and messengers read. */
async function readPage({ url }: Product, path: string) {
  const response = await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { accept: 'text/html', 'accept-language': 'en-US,en' },
  })
  const html = await response.text()
  const meta = (selector: string) => new RegExp(`<meta ${selector} content="([^"]*)"`).exec(html)?.[1]
  return {
    status: response.status,
    root: /<html[^>]*>/.exec(html)?.[0],
    title: /<title>([^<]*)<\/title>/.exec(html)?.[1],
    socialTitle: meta('property="og:title"'),
    description: meta('name="description"'),
    cookies: response.headers.getSetCookie(),
  }
}

const settingTitle = async ({ db }: Product): Promise<string> => {
  const { value } = await db
    .selectFrom('site_setting')
    .select('value')
    .where('key', '=', 'title')
    .executeTakeFirstOrThrow()
  return value as string
}

test('Romanian is the only language: no prefix, no redirect, no detection, no trailing slash [1.1]', async ({
  open,
  product,
  expectError,
}) => {
  expectError(NOT_FOUND)
  for (const path of ['/', '/patients', '/x/y']) {
    const { status, root, cookies } = await readPage(product, path)
    expect(status).toBe(path === '/x/y' ? 404 : 200)
    expect(root).toMatch(/ lang="ro"/)
    expect(root).toMatch(/ dir="ltr"/)
    // No language cookie: a page sets only the public client's key.
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['apollo:public.token'])
  }
  const slash = await fetch(`${product.url}/patients/?q=ana`, { redirect: 'manual' })
  expect([slash.status, slash.headers.get('location')]).toEqual([308, '/patients?q=ana'])

  const page = await open(null, { locale: 'en-US' })
  await page.goto('/')
  await expect(page.getByRole('heading', { ...heading, name: 'Autentificare' })).toBeVisible()
  expect(page.url()).toBe(`${product.url}/`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ro')
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
  for (const path of ['/ro', '/ro/patients', '/en']) {
    await page.goto(path)
    await expect(page.getByText(`Page not found: ${path}`, { exact: true })).toBeVisible()
  }
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['apollo:public.token'])
})

test('title, social title and description are the setting title, on every screen [2.17]', async ({
  open,
  product,
  expectError,
}) => {
  expectError(NOT_FOUND)
  const title = await settingTitle(product)
  const expected = { title, socialTitle: title, description: title }
  for (const path of ['/', '/patients', '/uploads', '/x/y'])
    expect(await readPage(product, path)).toMatchObject(expected)
  const page = await open(ADMIN)
  for (const path of [
    '/uploads',
    '/dashboard',
    '/patients',
    '/institutions',
    '/logs',
    '/bulk',
    '/admin',
    '/x/y',
    '/signout',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', heading)).toBeVisible()
    expect(await page.title()).toBe(title)
  }
  // The title is a setting, not a constant.
  const set = (value: string) =>
    product.db
      .updateTable('site_setting')
      .set({ value: JSON.stringify(value) })
      .where('key', '=', 'title')
      .execute()
  await set('Analize & imagini')
  const changed = 'Analize &amp; imagini'
  expect(await readPage(product, '/patients')).toMatchObject({
    title: changed,
    socialTitle: changed,
    description: changed,
  })
  await page.reload()
  await expect(page).toHaveTitle('Analize & imagini')
  await set(title)
})

test('an error at the start shows the server-error page, which offers a retry [2.16]', async ({
  open,
  expectError,
}) => {
  expectError(/500/)
  const page = await open(REVIEWER)
  await page.route('**/api/auth/session*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto('/patients')
  await expect(page.getByRole('heading', { ...heading, name: 'Ceva nu a mers' })).toBeVisible()
  await expect(page.getByText('Internal Server Error', { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectAccessible(page)
  await page.unroute('**/api/auth/session*')
  await page.getByRole('button', { name: 'Încearcă din nou' }).click()
  await expect(page.getByRole('heading', { ...heading, name: 'Pacienți' })).toBeVisible()
})

test('the not-found page fills the screen and leads back [2.16]', async ({ open, expectError }) => {
  expectError(NOT_FOUND)
  const page = await open(REGISTRAR)
  await page.goto('/patients/a/b/c')
  await expect(page.getByText('Page not found: /patients/a/b/c', { exact: true })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Mergi la prima pagină' }).click()
  await expect(page.getByRole('heading', { ...heading, name: 'Pacienți' })).toBeVisible()
})

test('a tooltip is above every element that requests one, with harmless HTML only [2.18]', async ({
  open,
  expectError,
}) => {
  // The policy's report about HTML that the sanitiser reads, in a document that runs and shows nothing.
  expectError(/violates the following Content Security Policy directive/)
  const page = await open(REVIEWER)
  await page.goto('/patients')
  await page.getByRole('table').getByRole('link').first().click()
  const anchor = page.getByRole('main').getByRole('button', { name: 'Editează' }).first()
  await anchor.evaluate((element) => element.setAttribute('data-tooltip', 'Codul numeric personal'))
  await anchor.hover()
  const tooltip = page.getByRole('tooltip')
  await expect(tooltip).toHaveText('Codul numeric personal')
  const isAbove = async () => {
    const [over, under] = [await tooltip.boundingBox(), await anchor.boundingBox()]
    return over!.y + over!.height <= under!.y
  }
  await expect.poll(isAbove).toBe(true)
  const box = (await tooltip.boundingBox())!
  expect(box.width).toBeLessThanOrEqual(350)
  await page.keyboard.press('Escape')
  await expect(tooltip).toHaveCount(0)

  await anchor.evaluate((element) => {
    const html = 'ora <b>exactă</b><img src=x onerror="document.title=1"><script>document.title=2</script>'
    element.setAttribute('data-tooltip-html', html)
  })
  await page.mouse.move(0, 0)
  await anchor.hover()
  await expect(tooltip.locator('b')).toHaveText('exactă')
  await expect(tooltip.locator('img, script')).toHaveCount(0)
  expect(await page.title()).not.toMatch(/^[12]$/)
})

test('tooltips are on every page: with the blank layout, and on error pages [2.18] [9.12]', async ({
  open,
  expectError,
}) => {
  expectError(/status of 40[14] |broken on purpose/)
  const page = await open(null)
  const tooltip = page.getByRole('tooltip')
  await page.goto('/')
  await page.getByRole('button', { name: 'Arată parola' }).hover()
  await expect(tooltip).toHaveText('Arată parola')
  await page.mouse.move(0, 0)
  await expect(tooltip).toHaveCount(0)
  await page.getByRole('radio', { checked: true, name: 'Ca sistemul' }).focus()
  await page.keyboard.press('ArrowUp')
  await expect(tooltip).toHaveText('Întunecat')
  await page.keyboard.press('ArrowDown')
  await expect(tooltip).toHaveText('Ca sistemul')

  for (const path of ['/nu-exista', '/files/00000000-0000-4000-8000-000000000000']) {
    await page.goto(path)
    const title = page.getByRole('heading', heading)
    await title.evaluate((element) => element.setAttribute('data-tooltip', 'Indiciu'))
    await title.hover()
    await expect(tooltip).toHaveText('Indiciu')
  }

  await page.goto('/')
  await page.evaluate(() => void Promise.reject(new Error('broken on purpose')))
  await expect(page.getByRole('heading', { ...heading, name: 'Ceva nu a mers' })).toBeVisible()
  const title = page.getByRole('heading', { ...heading, name: 'Ceva nu a mers' })
  await title.evaluate((element) => element.setAttribute('data-tooltip', 'Indiciu'))
  await title.hover()
  await expect(tooltip).toHaveText('Indiciu')
  // Above the error page, which is above all else.
  await tooltip.click()
})

test('no screen has tooltips of the browser: an element with a title [2.18]', async ({
  open,
  product: { db },
  expectError,
}) => {
  expectError(NOT_FOUND)
  const idOf = async (table: 'institution' | 'patient' | 'upload') =>
    (await db.selectFrom(table).select('id').limit(1).executeTakeFirstOrThrow()).id
  for (const [email, paths] of [
    [null, ['/', '/signout', '/nu-exista']],
    [ADMIN, ['/dashboard', '/uploads', '/patients', '/institutions', '/logs', '/admin', '/bulk']],
    [
      ADMIN,
      [
        `/uploads/${await idOf('upload')}`,
        `/patients/${await idOf('patient')}`,
        `/institutions/${await idOf('institution')}`,
      ],
    ],
    [INSTITUTION, ['/institution', '/institution?tab=pacienti']],
  ] as const) {
    const page = await open(email)
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', heading)).toBeVisible()
      await expect(page.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
      // An empty title, which React Aria sets, prevents the browser's own.
      await expect(page.locator('body [title]:not([title=""])')).toHaveCount(0)
    }
  }
})

test('a list is dimmed while it waits for an answer, and not while a menu or dialog is open', async ({
  open,
}) => {
  const page = await open(ADMIN)
  await page.goto('/institutions')
  const table = page.getByRole('table', { includeHidden: true })
  await expect(table.getByRole('link', { includeHidden: true }).first()).toBeVisible()
  const opacity = () =>
    table.evaluate((element) => {
      let product = 1
      for (let each: Element | null = element; each; each = each.parentElement)
        product *= Number(getComputedStyle(each).opacity)
      return product
    })
  await page
    .getByRole('button', { name: /^Contul meu|Ruxandra/ })
    .filter({ visible: true })
    .click()
  await expect(page.getByRole('menuitem', { name: 'Deconectare' })).toBeVisible()
  expect(await table.evaluate((element) => element.closest('[inert], [aria-hidden=true]') !== null)).toBe(
    true,
  )
  await expect.poll(opacity).toBe(1)
  await page.keyboard.press('Escape')

  const { resolve: respond, promise: released } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('searchbox').filter({ visible: true }).fill('cabinet')
  await expect.poll(opacity).toBeCloseTo(0.6)
  respond()
  await expect.poll(opacity).toBe(1)
})

test('a period of the inbox is read in full, and says when it ends before it begins', async ({
  open,
  product,
}) => {
  // The inbox begins with the last filters of its user, also in other tests.
  const { email } = await makePerson(product, INSTITUTION)
  const page = await open(email, { viewport: { width: 1440, height: 800 } })
  await page.goto('/institution')
  await page.getByRole('button', { name: 'Filtre', exact: true }).click()
  const [since, until] = ['De la', 'Până la'].map((name) => page.getByRole('textbox', { name }))
  await since!.fill('28.08.2026')
  await until!.fill('01.08.2026')
  await until!.blur()
  await expect(page.getByText('Data de început este după data de sfârșit.').first()).toBeVisible()
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    for (const day of [since!, until!])
      expect(await day.evaluate((input) => input.scrollWidth > input.clientWidth)).toBe(false)
  }
})

test('the chart of the dashboard explains each day with HTML in a tooltip [2.18]', async ({ open }) => {
  const page = await open(ADMIN)
  await page.goto('/dashboard')
  const tooltip = page.getByRole('tooltip')
  // What is loaded above the chart moves it away from the mouse.
  await expect(async () => {
    await page.mouse.move(0, 0)
    await page.locator('[data-tooltip-html]').last().hover()
    await expect(tooltip.locator('b')).toHaveText(/^\d+ (de )?încărc/, { timeout: 3_000 })
    await expect(tooltip).toHaveText(/\d\d\.\d\d\.\d{4}$/, { timeout: 3_000 })
  }).toPass()
})

test('all data comes from one GraphQL endpoint, requested with the id_token of the user [1.3]', async ({
  open,
  product,
}) => {
  for (const [email, paths] of [
    [ADMIN, ['/dashboard', '/uploads', '/patients', '/institutions', '/logs', '/admin', '/bulk']],
    [INSTITUTION, ['/institution', '/institution?tab=pacienti']],
  ] as const) {
    const page = await open(email)
    const data: { path: string; bearer: boolean }[] = []
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      expect(origin).toBe(product.url)
      if (!['fetch', 'xhr'].includes(request.resourceType())) return
      if (pathname.startsWith('/api/auth/') || pathname === '/api/token') return
      data.push({ path: pathname, bearer: /^Bearer ey/.test(request.headers().authorization ?? '') })
    })
    for (const path of paths) {
      await page.goto(path)
      await expect(page.getByRole('heading', heading)).toBeVisible()
      await expect(page.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
    }
    expect(data.length).toBeGreaterThan(paths.length - 2)
    expect(data.filter(({ path, bearer }) => path !== '/graphql' || !bearer)).toEqual([])
  }
})
