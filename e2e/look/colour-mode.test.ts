import { INSTITUTION, REVIEWER } from '../harness/accounts.ts'
import { COLOUR_MODE_KEY, expectMode, storedPreference } from '../harness/colour-mode.ts'
import { expect, test } from '../harness/test.ts'

test('a visitor chooses light, dark or the system’s mode before signing in [1.4]', async ({ open }) => {
  const page = await open(null, { colorScheme: 'light' })
  await page.goto('/')
  await expectMode(page, 'light')
  await page.getByRole('radio', { name: 'Întunecat' }).check()
  await expectMode(page, 'dark')
  expect(await storedPreference(page)).toBe('dark')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Întunecat' })).toBeChecked()
  await expectMode(page, 'dark')
  await page.getByRole('radio', { name: 'Luminos' }).check()
  await expectMode(page, 'light')
  await page.getByRole('radio', { name: 'Ca sistemul' }).check()
  await expectMode(page, 'light')
})

test('a signed-in user chooses the mode in the account menu, for every tab [1.4]', async ({ open }) => {
  for (const [email, path, trigger] of [
    [REVIEWER, '/patients', /Matei/],
    [INSTITUTION, '/institution', /^Contul meu/],
  ] as const) {
    const page = await open(email, { colorScheme: 'light' })
    const other = await page.context().newPage()
    for (const each of [page, other]) await each.goto(path)
    const choose = async (name: string) => {
      await page.getByRole('button', { name: trigger }).filter({ visible: true }).click()
      await page.getByRole('menuitemradio', { name }).click()
    }
    await choose('Întunecat')
    await expectMode(page, 'dark')
    await expectMode(other, 'dark')
    await page.keyboard.press('Escape')
    await choose('Luminos')
    await expectMode(page, 'light')
    await expectMode(other, 'light')
  }
})

test('system follows the operating system, also while the page is open [4.6]', async ({ open }) => {
  const page = await open(null, { colorScheme: 'dark' })
  await page.goto('/')
  await expect(page.getByRole('radio', { name: 'Ca sistemul' })).toBeChecked()
  await expectMode(page, 'dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await expectMode(page, 'light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectMode(page, 'dark')
  // An explicit choice does not follow it.
  await page.getByRole('radio', { name: 'Luminos' }).check()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectMode(page, 'light')
})

test('no page flashes in the other mode while it loads [4.6]', async ({ open }) => {
  for (const [system, preference, wanted] of [
    ['light', 'dark', 'dark'],
    ['dark', 'light', 'light'],
    ['dark', null, 'dark'],
  ] as const) {
    await test.step(`system ${system}, preference ${preference}`, async () => {
      const page = await open(REVIEWER, { colorScheme: system })
      await page.addInitScript(
        ({ key, preference }) => {
          if (preference) localStorage.setItem(key, preference)
          const frames: (string | undefined)[] = []
          const look = () => {
            if (document.body) frames.push(document.documentElement.dataset.theme)
            requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
          Object.assign(window, { frames })
        },
        { key: COLOUR_MODE_KEY, preference },
      )
      // The application loads late: until then the screen shows the page alone.
      await page.route(/\/assets\/.*\.js$/, async (route) => {
        await page.waitForFunction(() => (window as unknown as { frames: string[] }).frames.length > 3)
        await route.continue()
      })
      await page.goto('/patients')
      await expect(page.getByRole('heading', { level: 1, name: 'Pacienți' })).toBeVisible()
      const frames = await page.evaluate(() => (window as unknown as { frames: string[] }).frames)
      expect(frames.length).toBeGreaterThan(3)
      expect(new Set(frames)).toEqual(new Set([wanted]))
      await expectMode(page, wanted)
      // The search loads when the page is idle, possibly now.
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  }
})

test('the browser keeps the preference, the clients’ tokens and nothing else [4.6] [9.5]', async ({
  open,
}) => {
  const page = await open(REVIEWER)
  await page.goto('/patients')
  await page.getByRole('button', { name: /Matei/ }).filter({ visible: true }).click()
  await page.getByRole('menuitemradio', { name: 'Întunecat' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').fill('Popescu')
  await expect(page.getByRole('table', { name: 'Pacienți găsiți' })).toBeVisible()
  await page.getByRole('table').getByRole('link').first().click()
  await expect(page.getByRole('region', { name: 'Trimiteri' })).toBeVisible()
  for (const place of ['Verificare', 'Tablou de bord', 'Jurnal de activitate', 'Instituții']) {
    await page.getByRole('link', { name: place }).filter({ visible: true }).first().click()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
    caches: await caches.keys(),
    cookies: document.cookie
      .split('; ')
      .map((cookie) => cookie.split('=')[0])
      .sort(),
  }))
  const cookies = ['apollo:default.token', 'apollo:public.token']
  expect(kept).toEqual({ local: { [COLOUR_MODE_KEY]: 'dark' }, databases: [], caches: [], cookies })
})
