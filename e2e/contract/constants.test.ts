import { createTestClient } from '../../test/client.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { DEMO_PASSWORD, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { issueApiKey } from '../harness/client.ts'
import { readMotion, withoutWaiting } from '../harness/motion.ts'
import { setSetting } from '../harness/people.ts'
import { expect, type Page, test } from '../harness/test.ts'

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

test.describe('every motion', () => {
  for (const path of ['/', '/patients', '/uploads'] as const) {
    test(`takes 250 ms, ease-in-out, at ${path} [9.8]`, async ({ open }) => {
      const page = await open(path === '/' ? null : REVIEWER)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('status', { name: 'Se încarcă' })).toHaveCount(0)
      const motions = withoutWaiting(await readMotion(page))
      expect(motions).toEqual(['0.25s ease-in-out'])
    })
  }

  test('stops with reduced motion: no transition, no animation, not even of a dialog [9.8]', async ({
    open,
  }) => {
    const page = await open(REVIEWER, { reducedMotion: 'reduce' })
    // While something loads, too.
    let response = () => {}
    const held = new Promise<void>((resolve) => (response = resolve))
    await page.route('**/graphql', async (route) => {
      await held
      await route.continue()
    })
    await page.goto('/patients')
    await expect(title(page, 'Pacienți')).toBeVisible()
    expect(await readMotion(page)).toEqual([])
    response()
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await page.getByRole('button', { name: 'Adaugă pacient' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await readMotion(page)).toEqual([])
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    await expectAccessible(page)
  })
})

test('no locale cookie is set for any requested language [9.9]', async ({ product, open }) => {
  const outsider = createTestClient(product.url)
  const headers = { accept: 'text/html', 'accept-language': 'en-GB,en;q=0.9' }
  for (const path of ['/', '/signout', '/patients', '/en', '/ro/patients', '/nu-exista', '/healthz']) {
    await outsider.fetch(path, { headers })
  }
  await outsider.signIn(REGISTRAR, DEMO_PASSWORD)
  await outsider.fetch('/patients', { headers })
  expect(outsider.setCookies.length).toBeGreaterThan(3)
  const page = await open(REGISTRAR, { locale: 'en-GB' })
  await page.goto('/patients')
  await expect(title(page, 'Pacienți')).toBeVisible()
  await page
    .getByRole('link', { name: /^Instituții/ })
    .first()
    .click()
  await expect(title(page, 'Instituții')).toBeVisible()
  const names = [...outsider.cookies.keys(), ...(await page.context().cookies()).map(({ name }) => name)]
  expect(new Set(names)).toEqual(
    new Set([
      '__Host-dosar.session',
      '__Host-dosar.csrf',
      '__Host-dosar.callback-url',
      '__Host-dosar.device',
      'apollo:public.token',
      'apollo:default.token',
    ]),
  )
  expect(outsider.setCookies.join('\n')).not.toContain('i18n_redirected')
})

test('the settings of the site are visible on the screens: name, contacts, colour, logo, address [1.5]', async ({
  product,
  open,
}) => {
  const settings = {
    name: 'Centrul „Ștefan”',
    title: 'Rezultate – Centrul „Ștefan”',
    phone: '+40212345678',
    email: 'ajutor@exemplu.test',
    color_scheme: 'sky',
    url: 'https://rezultate.exemplu.test',
  }
  const undo: (() => Promise<void>)[] = []
  for (const [key, value] of Object.entries(settings)) undo.push(await setSetting(product, key, value))
  try {
    const page = await open(null)
    await page.goto('/')
    await expect(page).toHaveTitle(/Rezultate – Centrul „Ștefan”/)
    await expect(page.getByText(settings.name, { exact: true })).toBeVisible()
    await expect(page.locator(`a[href="tel:${settings.phone}"]`)).toBeVisible()
    await expect(page.locator(`a[href="mailto:${settings.email}"]`)).toHaveText(settings.email)
    await expect(page.locator('html')).toHaveAttribute('data-accent', settings.color_scheme)

    const key = await issueApiKey(product.url)
    const query = '{ publicSite { name title phone email colorScheme url } }'
    const response = await createTestClient(product.url).postGraphql({ query }, { 'x-api-key': key })
    const { color_scheme, ...same } = settings
    expect((await response.json()).data.publicSite).toEqual({ ...same, colorScheme: color_scheme })

    undo.push(await setSetting(product, 'logo_navigation', '/favicon.svg'))
    undo.push(await setSetting(product, 'logo_navigation_width', 48))
    const inside = await open(REVIEWER)
    await inside.goto('/patients')
    const logo = inside.getByRole('img', { name: settings.name }).filter({ visible: true })
    await expect(logo).toHaveAttribute('src', '/favicon.svg')
    expect((await logo.boundingBox())!.width).toBe(48)
  } finally {
    for (const restore of undo.reverse()) await restore()
  }
})
