import { readdirSync } from 'node:fs'
import { expectAccessible, expectAccessibleInBothModes } from '../harness/accessibility.ts'
import { expect, type Page, test } from '../harness/catalogue.ts'
import { readMotion, withoutWaiting } from '../harness/motion.ts'

const ENDING = '.stories.tsx'
const uiComponents = readdirSync('web/ui')
  .filter((name) => name.endsWith(ENDING))
  .map((name) => `ui/${name.slice(0, -ENDING.length)}`)
  .sort()

const list = (page: Page) => page.getByRole('navigation', { name: 'Piese' })

/** Opens another component in the same window. */
async function visit(page: Page, component: string, query = ''): Promise<void> {
  await page.goto(`/?component=${component}${query}`)
  await expect(page.getByRole('heading', { name: component, exact: true })).toBeVisible()
}

test.describe('the catalogue', () => {
  test('lists every component by a Romanian name, and finds a component by name or path', async ({
    openStory,
  }) => {
    const page = await openStory('ui/button')
    const names = await list(page).getByRole('link').allTextContents()
    expect(names.length).toBeGreaterThan(uiComponents.length)
    expect(names.filter((name) => name.includes('/'))).toEqual([])
    expect(new Set(names).size).toBe(names.length)
    await expect(list(page).getByRole('heading')).toHaveText(['Formulare', 'Piese'])

    const filter = list(page).getByRole('searchbox', { name: 'Filtrează piesele' })
    await filter.fill('TASTA')
    await expect(list(page).getByRole('link')).toHaveText(['Tastă'])
    await filter.fill('ui/kbd')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'ui/kbd', exact: true })).toBeVisible()
    await expect(list(page).getByRole('link', { name: 'Tastă' })).toHaveAttribute('aria-current', 'page')
    await expect(page).toHaveTitle('Tastă · Catalog · Dosar')
    await filter.fill('nu este')
    await expect(list(page).getByText('Nicio piesă nu se numește așa.')).toBeVisible()
  })

  test('loads only the component that is shown', async ({ openStory }) => {
    const page = await openStory('ui/kbd')
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => /([\w-]+\.stories)-[\w-]+\.js$/.exec(name)?.[1])
        .filter((name) => name !== undefined),
    )
    expect(loaded).toEqual(['kbd.stories'])
  })

  test('shows one state alone at its own address', async ({ openStory }) => {
    const page = await openStory('ui/button')
    await page.getByRole('heading', { name: 'în lucru' }).getByRole('link').click()
    await expect(page.getByRole('region')).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'în lucru' })).toBeVisible()
    await expect(list(page)).toHaveCount(0)
    expect(new URL(page.url()).searchParams.get('state')).toBe('în lucru')
    await page.reload()
    await expect(page.getByRole('region')).toHaveCount(1)
    await visit(page, 'ui/button', '&state=nu este')
    await expect(page.getByText('Piesa nu are starea „nu este”.')).toBeVisible()
    await page.goto('/?component=ui/nu-este')
    await expect(page.getByRole('heading', { name: 'Piesa nu există' })).toBeVisible()
  })

  test('shows the components in each accent colour of the product', async ({ openStory }) => {
    const page = await openStory('ui/button')
    const fill = () =>
      page
        .getByRole('button', { name: 'Salvează' })
        .first()
        .evaluate((element) => getComputedStyle(element).backgroundColor)
    const lime = await fill()
    await page.getByRole('button', { name: 'Accent: lime' }).click()
    await expect(page.getByRole('menuitemradio')).toHaveCount(15)
    await page.getByRole('menuitemradio', { name: 'sky' }).click()
    await expect(page.locator('html')).toHaveAttribute('data-accent', 'sky')
    await expect.poll(fill).not.toBe(lime)
    await list(page).getByRole('link', { name: 'Tastă' }).click()
    await expect(page.getByRole('heading', { name: 'ui/kbd', exact: true })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-accent', 'sky')
  })

  test('shows a component at the width of a phone, in a frame', async ({ openStory }) => {
    const page = await openStory('ui/dialog')
    // The product's policy forbids frames; the catalogue has no such policy in development.
    await page.route('**/*', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.reload()
    await page.getByRole('button', { name: 'Pe telefon, 360 px' }).click()
    const phone = page.frameLocator('iframe')
    await phone.getByRole('region', { name: 'mijlociu' }).getByRole('button').click()
    const dialog = phone.getByRole('dialog')
    await expect(dialog).toBeVisible()
    expect(await dialog.evaluate(() => innerWidth)).toBe(360)
    await expect(phone.getByRole('navigation')).toHaveCount(0)
  })

  test('works on a phone: the list, a component, and back', async ({ openStory }) => {
    const page = await openStory('ui/button', { viewport: { width: 360, height: 740 }, hasTouch: true })
    await expect(list(page)).toBeHidden()
    await page.getByRole('link', { name: 'Dosar' }).tap()
    await expect(page.getByRole('heading', { level: 1, name: 'Catalog' })).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    await expectAccessible(page)
    await list(page).getByRole('link', { name: 'Tastă' }).tap()
    await expect(page.getByRole('heading', { name: 'ui/kbd', exact: true })).toBeVisible()
  })
})

test('every component is accessible, moves for 250 ms with ease-in-out, and fits a phone of 360 px [9.8]', async ({
  openStory,
}) => {
  const page = await openStory('ui/button')
  const components = await list(page)
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).searchParams.get('component')!),
    )
  test.setTimeout(components.length * 15_000)
  for (const component of components)
    await test.step(component, async () => {
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await visit(page, component)
      expect.soft(withoutWaiting(await readMotion(page)), component).toEqual(['0.25s ease-in-out'])
      // The states of form components are checked in their own tests.
      if (!component.startsWith('ui/')) return
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expectAccessibleInBothModes(page)
      await page.setViewportSize({ width: 360, height: 740 })
      expect
        .soft(await page.evaluate(() => document.documentElement.scrollWidth), component)
        .toBeLessThanOrEqual(360)
    })
})

test.describe('a motion of a component', () => {
  for (const [component, state, opened] of [
    ['ui/dialog', 'mijlociu', 'dialog'],
    ['ui/dialog', 'panou lateral', 'dialog'],
    ['ui/menu', 'acțiuni', 'menu'],
    ['ui/toast', 'greșeală', 'alertdialog'],
  ] as const)
    test(`takes 250 ms, and no time with reduced motion, when it opens: ${component}, ${state} [9.8]`, async ({
      openStory,
    }) => {
      const page = await openStory(component, { state })
      await page.evaluate(() => {
        const ran: string[] = []
        Object.assign(window, { ran })
        document.addEventListener('transitionrun', ({ target, propertyName }) => {
          if (!(target instanceof Element) || target.closest('button')) return
          for (const animation of target.getAnimations() as CSSTransition[]) {
            const { duration, easing } = animation.effect!.getTiming()
            if (animation.transitionProperty === propertyName) ran.push(`${duration} ${easing}`)
          }
        })
      })
      const readRan = () => page.evaluate(() => (window as unknown as { ran: string[] }).ran)
      await page.getByRole('button').first().click()
      await expect(page.getByRole(opened)).toBeVisible()
      await expect.poll(readRan).not.toEqual([])
      expect(new Set(await readRan())).toEqual(new Set(['250 ease-in-out']))

      const calm = await openStory(component, { state, reducedMotion: 'reduce' })
      await calm.getByRole('button').first().click()
      await expect(calm.getByRole(opened)).toBeVisible()
      expect(await readMotion(calm)).toEqual([])
      expect(await calm.evaluate(() => document.getAnimations().length)).toBe(0)
    })
})

test('every icon of categories and screens is drawn [3.7]', async ({ openStory }) => {
  const page = await openStory('ui/icon', { state: 'ale categoriilor' })
  const named =
    'stethoscope, calendar, folders, users, hospital, hand-holding-medical, documents, pdf, zip, upload, download, lock, filter, sun, moon, snowflake, leaf, flower, umbrella-beach, envelope, paper-plane, timer, check, warning'
  for (const name of named.split(', ')) {
    const item = page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })
    await expect(item.locator('svg :is(path, circle, rect, line, polyline)').first()).toBeAttached()
    expect((await item.locator('svg').boundingBox())?.width).toBe(20)
  }
})
