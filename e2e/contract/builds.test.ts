import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReferredPatient } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

const HOUR = '01:00:00'
const LATEST = '**/builds/latest.json'
const NOTICE = 'O versiune nouă este disponibilă.'
/** The script of the institutions screen, which these tests block. */
const CHUNK = '**/assets/institutions-page-*.js'
/** The errors of the browser and of React about the blocked script. */
const CHUNK_FAULTS = /institutions-page|a screen did not load/

const place = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Collects the addresses that are loaded as documents from now on. */
function recordLoads(page: Page): string[] {
  const loads: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname)
  })
  return loads
}

/** Opens a signed-in page with a fake clock, for which the server reports another build when the test sets one. */
async function openBeforeRelease(page: Page, path: '/patients' | '/uploads'): Promise<string[]> {
  await page.clock.install()
  await page.route(LATEST, (route) =>
    route.fulfill({ json: { id: 'ffffffffffffffff', timestamp: Date.now() } }),
  )
  await page.goto(path)
  await expect(title(page, path === '/patients' ? 'Pacienți' : 'Verificare')).toBeVisible()
  return recordLoads(page)
}

async function hearOfRelease(page: Page): Promise<void> {
  await page.clock.fastForward(HOUR)
  await expect(page.getByRole('status').filter({ hasText: NOTICE })).toBeVisible()
}

test.describe('the build manifest', () => {
  test('names the build of the page [7.7]', async ({ product }) => {
    const runQuery = (path: string) => fetch(`${product.url}${path}`)
    const latest = await (await runQuery('/builds/latest.json')).json()
    expect(latest).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), timestamp: expect.any(Number) })
    expect(await (await runQuery(`/builds/meta/${latest.id}.json`)).json()).toEqual(latest)
    const page = await (await runQuery('/')).text()
    expect(page).toContain(`<meta name="build" content="${latest.id}">`)
    expect((await runQuery('/builds/meta/ffffffffffffffff.json')).status).toBe(404)
  })

  test('is requested every hour; an unchanged build shows nothing [9.2]', async ({ open }) => {
    const page = await open(REGISTRAR)
    await page.clock.install()
    let requested = 0
    page.on('response', (response) => {
      if (response.url().endsWith('/builds/latest.json')) requested++
    })
    await page.goto('/patients')
    await expect(title(page, 'Pacienți')).toBeVisible()
    for (const times of [1, 2]) {
      await page.clock.fastForward(HOUR)
      await expect.poll(() => requested).toBe(times)
    }
    await expect(page.getByText(NOTICE)).toHaveCount(0)
  })

  test('shows nothing where it cannot be fetched [9.2]', async ({ open, expectError }) => {
    expectError(/builds\/latest\.json/)
    const page = await open(REGISTRAR)
    const loads = await openBeforeRelease(page, '/patients')
    await page.route(LATEST, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('latest.json'))
    await page.clock.fastForward(HOUR)
    await failed
    await expect(page.getByText(NOTICE)).toHaveCount(0)
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    expect(loads).toEqual([])
  })
})

test.describe('a newer build', () => {
  test('is offered, and loaded with the next screen [9.2]', async ({ open }) => {
    const page = await open(REVIEWER)
    const loads = await openBeforeRelease(page, '/uploads')
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    await place(page, 'Verificare').click()
    await expect(title(page, 'Verificare')).toBeVisible()
    await hearOfRelease(page)
    await expectAccessible(page)
    // Hovering over a link, and changing filters on one screen, load nothing.
    await place(page, 'Instituții').hover()
    await page.getByText('Doar ale mele').click()
    await expect(page).toHaveURL('/uploads?mine=true')
    expect(loads).toEqual([])
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    expect(loads).toEqual(['/institutions'])
    await expect(page.getByText(NOTICE)).toHaveCount(0)
    // Back leads to the previous screen.
    await page.goBack()
    await expect(page).toHaveURL('/uploads?mine=true')
  })

  test('is loaded at once by the button [9.2]', async ({ open }) => {
    const page = await open(REGISTRAR)
    const loads = await openBeforeRelease(page, '/patients')
    await hearOfRelease(page)
    await page.getByRole('button', { name: 'Reîncarcă' }).click()
    await expect(page.getByText(NOTICE)).toHaveCount(0)
    await expect(title(page, 'Pacienți')).toBeVisible()
    expect(loads).toEqual(['/patients'])
  })

  test('is loaded on a back navigation too [9.2]', async ({ open }) => {
    const page = await open(REGISTRAR)
    const loads = await openBeforeRelease(page, '/patients')
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    await hearOfRelease(page)
    await page.goBack()
    await expect(title(page, 'Pacienți')).toBeVisible()
    expect(loads).toEqual(['/patients'])
  })

  test('waits while files are being sent: the user is asked once, in the product’s dialog [9.2]', async ({
    open,
    product,
  }) => {
    const page = await open(REGISTRAR)
    const patient = await makeReferredPatient(product, INSTITUTION)
    const loads = await openBeforeRelease(page, '/patients')
    page.on('dialog', (dialog) => void loads.push(`asked by the browser: ${dialog.type()}`))
    await page.getByRole('searchbox').fill(patient.name)
    await page.keyboard.press('Enter')
    await expect(title(page, patient.name)).toBeVisible()
    // Never arrives, never fails.
    await page.route('**/files', () => undefined)
    const file = { name: 'raport.txt', mimeType: 'text/plain', buffer: Buffer.from('Rezultat normal.') }
    await page.locator('input[type=file]').first().setInputFiles(file)
    await page.getByLabel('Titlu').fill('Raport')
    await page.getByRole('button', { name: 'Încarcă și trimite la verificare' }).click()
    await expect(page.getByRole('button', { name: 'Încarcă și trimite la verificare' })).toHaveCount(0)
    await hearOfRelease(page)
    await place(page, 'Instituții').click()
    await page.getByRole('button', { name: 'Pleacă oricum' }).click()
    await expect(title(page, 'Instituții')).toBeVisible()
    expect(loads).toEqual([])
    await place(page, 'Pacienți').click()
    await expect(title(page, 'Pacienți')).toBeVisible()
    expect(loads).toEqual(['/patients'])
  })
})

test.describe('a screen whose script does not load', () => {
  test('leaves the application in place while there is no network [4.12]', async ({ open, expectError }) => {
    expectError(/ERR_INTERNET_DISCONNECTED|dynamically imported module|Failed to fetch|a screen did not load/)
    const page = await open(REGISTRAR)
    await page.goto('/patients')
    await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Jurnal de activitate' }).filter({ visible: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Serverul nu răspunde' })).toBeVisible()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Încearcă din nou' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Jurnal de activitate' })).toBeVisible()
  })

  for (const [how, fail] of [
    ['is gone', { status: 404, json: { code: 'NOT_FOUND' } }],
    ['is cut off', null],
  ] as const) {
    test(`because it ${how} is reloaded with its page, once [4.12] [8.10] [9.4]`, async ({
      open,
      expectError,
    }) => {
      expectError(CHUNK_FAULTS)
      const page = await open(REGISTRAR)
      await page.goto('/patients')
      await expect(title(page, 'Pacienți')).toBeVisible()
      const loads = recordLoads(page)
      await page.route(CHUNK, (route) => (fail ? route.fulfill(fail) : route.abort()))
      await place(page, 'Instituții').click()

      // It still fails: the page of the target was loaded once, and then the user decides.
      await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
      await expect(page).toHaveURL('/institutions')
      expect(loads).toEqual(['/institutions'])
      await expect(page.getByText('500 · Internal Server Error')).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Încearcă din nou' }).click()
      await expect.poll(() => loads.length).toBe(2)
      await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
      expect(loads).toHaveLength(2)

      await page.unroute(CHUNK)
      await page.getByRole('button', { name: 'Încearcă din nou' }).click()
      await expect(title(page, 'Instituții')).toBeVisible()
    })
  }

  test('is shown after one reload where the script loads then [4.12] [8.10]', async ({
    open,
    expectError,
  }) => {
    expectError(CHUNK_FAULTS)
    const page = await open(REGISTRAR)
    await page.goto('/patients')
    await expect(title(page, 'Pacienți')).toBeVisible()
    const loads = recordLoads(page)
    await page.route(CHUNK, async (route) => {
      if (loads.length > 0) await route.continue()
      else await route.abort()
    })
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    expect(loads).toEqual(['/institutions'])
  })

  test('is reloaded again ten seconds later, and not before [9.4]', async ({ open, expectError }) => {
    expectError(CHUNK_FAULTS)
    const page = await open(REGISTRAR)
    // On any machine no time passes but the time of this clock.
    let now = Date.now()
    await page.clock.setFixedTime(now)
    await page.route(CHUNK, (route) => route.abort())
    const loads = recordLoads(page)
    // Opened by its address: this load, and the automatic reload.
    await page.goto('/institutions')
    await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
    expect(loads).toHaveLength(2)
    const retry = async (afterMs: number) => {
      loads.length = 0
      now += afterMs
      await page.clock.setFixedTime(now)
      await page.getByRole('button', { name: 'Încearcă din nou' }).click()
      await expect.poll(() => loads.length).toBeGreaterThan(0)
      await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
      return loads.length
    }
    expect(await retry(5_000)).toBe(1)
    expect(await retry(10_000)).toBe(2)
  })

  test('is not reloaded where the browser has no storage, which could loop for ever [9.4]', async ({
    open,
    expectError,
  }) => {
    expectError(CHUNK_FAULTS)
    const page = await open(REGISTRAR)
    await page.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      }),
    )
    await page.route(CHUNK, (route) => route.abort())
    await page.goto('/patients')
    await expect(title(page, 'Pacienți')).toBeVisible()
    const loads = recordLoads(page)
    await place(page, 'Instituții').click()
    await expect(title(page, 'Serverul nu răspunde')).toBeVisible()
    expect(loads).toEqual([])
  })

  test('changes nothing while its link is only hovered [4.12]', async ({ open, expectError }) => {
    expectError(CHUNK_FAULTS)
    const page = await open(REGISTRAR)
    await page.goto('/patients')
    await page.getByRole('searchbox').fill('Ana')
    const loads = recordLoads(page)
    await page.route(CHUNK, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('institutions-'))
    await place(page, 'Instituții').hover()
    await failed
    await expect(page.getByRole('searchbox')).toHaveValue('Ana')
    // The script loads when the screen is opened.
    await page.unroute(CHUNK)
    await place(page, 'Instituții').click()
    await expect(title(page, 'Instituții')).toBeVisible()
    expect(loads).toEqual([])
  })
})
