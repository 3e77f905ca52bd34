import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Screen } from '../../shared/access/site-map.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { blockResponses } from '../harness/graphql-line.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, type Locator, type Page, test } from '../harness/test.ts'

/** Bytes of JavaScript (gzip) that the sign-in page may load; `.size-limit.js` has the same budget. */
const SIGN_IN_BUDGET = 110 * 1024
/** With those that a page loads while it is idle. */
const MAX_SCRIPTS = 20
/** The patients with all that they load while the page is idle. */
const MAX_REQUESTS = 27
/** A review until its document is asked for. */
const MAX_REVIEW_REQUESTS = 28
/** Who opens each screen, as the server's page; one with a parameter by the first link of the list before it. */
const VISITS: readonly (readonly [Exclude<Screen, '/signout'>, string | null])[] = [
  ['/', null],
  ['/cont/$token', null],
  ['/s', null],
  ['/s/$token', null],
  ['/dashboard', ADMIN],
  ['/dashboard', REVIEWER],
  ['/uploads', REVIEWER],
  ['/uploads/$uploadId', REVIEWER],
  ['/patients', ADMIN],
  ['/patients/$patientId', REGISTRAR],
  ['/institutions', ADMIN],
  ['/institutions/$institutionId', ADMIN],
  ['/bulk', REGISTRAR],
  ['/logs', ADMIN],
  ['/admin', ADMIN],
  ['/institution', INSTITUTION],
]
/** Screens without a form, also without one that is loaded while they are idle. */
const WITHOUT_FORMS: readonly Screen[] = ['/dashboard', '/uploads', '/bulk', '/institution']

/** Collects the paths of a page's requests from now on, in order. */
function recordRequests(page: Page): string[] {
  const requested: string[] = []
  page.on('request', (request) => void requested.push(new URL(request.url()).pathname))
  return requested
}

/** Returns where the text of an element is. */
const textBox = (element: Locator) =>
  element.evaluate((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect().toJSON()
  })

const isScript = (path: string) => /\.m?js$/.test(path)

test('the sign-in page loads no more JavaScript than its budget, all before its first request of data', async ({
  open,
  product,
}) => {
  const page = await open(null)
  const requested = recordRequests(page)
  await page.goto('/')
  await expect(page.getByLabel('Parolă', { exact: true })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const scripts = new Set(requested.filter(isScript))
  expect(requested.findLastIndex(isScript)).toBeLessThan(requested.indexOf('/api/auth/session'))
  const sizes = [...scripts].map(async (path) => {
    const code = await (await fetch(product.url + path)).arrayBuffer()
    return gzipSync(new Uint8Array(code)).length
  })
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  // React alone is more than half of the budget: fewer bytes would mean that the count is wrong.
  expect(bytes).toBeGreaterThan(SIGN_IN_BUDGET / 2)
  expect(bytes).toBeLessThanOrEqual(SIGN_IN_BUDGET)
})

test('a screen behind the sign-in requests its scripts with the page, each once', async ({ open }) => {
  const page = await open(REVIEWER)
  const requested = recordRequests(page)
  await page.goto('/patients')
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  const screen = requested.findIndex((path) => /patients-page-/.test(path))
  expect(screen).toBeGreaterThan(0)
  expect(screen).toBeLessThan(requested.indexOf('/api/auth/session'))
  const scripts = requested.filter(isScript)
  expect(scripts.filter((path, place) => scripts.indexOf(path) !== place)).toEqual([])
})

test('the patients are asked for once, by a page whose scripts have not loaded yet, and with few other requests', async ({
  open,
}) => {
  const page = await open(REVIEWER)
  const asked: { path: string; body: string | null }[] = []
  page.on('request', (request) =>
    asked.push({ path: new URL(request.url()).pathname, body: request.postData() }),
  )
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(/\/assets\/ui-/, async (route) => {
    await released
    await route.continue()
  })
  await page.goto('/patients', { waitUntil: 'commit' })
  await expect.poll(() => asked.filter(({ path }) => path === '/graphql').length).toBe(2)
  const [, early] = asked.filter(({ path }) => path === '/graphql')
  expect(JSON.parse(early!.body!)).toMatchObject({ operationName: 'Patients', variables: { search: '' } })
  // The application has started, and the frame that the server has drawn is still shown.
  await expect(page.locator('#no-start')).not.toBeAttached()
  const drawn = page.locator('#starting').getByText('Pacienți')
  await expect(drawn).toBeVisible()
  expect(await page.getByRole('paragraph').count()).toBe(0)
  const drawnAt = await textBox(drawn)
  release()
  await expect(page.getByRole('table').getByRole('link').first()).toBeVisible()
  await expect(page.locator('#starting')).not.toBeAttached()
  expect(await textBox(page.getByRole('heading', { level: 1 }))).toEqual(drawnAt)
  await page.waitForLoadState('networkidle')
  const counts = (path: string) => asked.filter((one) => one.path === path).length
  expect([counts('/api/auth/session'), counts('/api/token')]).toEqual([1, 2])
  const documents = asked.flatMap(({ body }) => /"operationName":"(\w+)"/.exec(body ?? '')?.[1] ?? [])
  // The counts of the frame are one question.
  expect(documents.toSorted()).toEqual(['FrameCounts', 'Patients', 'getCategories'])
  // The browser asks for the icon of its tab in some runs only.
  const paths = asked.map(({ path }) => path).filter((path) => path !== '/favicon.svg')
  expect(paths.length, paths.join('\n')).toBeLessThanOrEqual(MAX_REQUESTS)
})

test('a review has few requests before that of its document, and loads its dialogs and the search after it is shown', async ({
  open,
  client,
  product,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-review-'))
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Radiografie', report)
  await rm(folder, { recursive: true })
  const page = await open(REVIEWER)
  const requested = recordRequests(page)
  // The page is idle until the answer comes.
  const release = await blockResponses(page, 'UploadPage')
  await page.goto(`/uploads/${uploadId}`)
  await pause(1_500)
  release()
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await page.waitForLoadState('networkidle')
  const isOfDialogs = (path: string) => /\/(forms|options|review-dialogs|search)-.*\.js$/.test(path)
  const before = requested.slice(
    0,
    requested.findIndex((path) => path.endsWith('/preview')),
  )
  expect(before.filter(isOfDialogs)).toEqual([])
  expect(before.length, before.join('\n')).toBeLessThanOrEqual(MAX_REVIEW_REQUESTS)
  await expect.poll(() => requested.filter(isOfDialogs).length).toBeGreaterThan(2)
})

test('a user of an institution asks nothing that staff ask, and is led to the inbox', async ({ open }) => {
  const page = await open(INSTITUTION)
  const questions: (string | null)[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) questions.push(request.postData())
  })
  await page.goto('/patients')
  await expect(page).toHaveURL(/\/institution$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(questions.filter((body) => body?.includes('query Patients('))).toEqual([])
})

for (const [screen, email] of VISITS) {
  test(`${screen}${email === null ? '' : ` of ${email}`} loads at most ${MAX_SCRIPTS} scripts, and asks each question once`, async ({
    open,
  }) => {
    const page = await open(email)
    let path = screen.replace('$token', 'abc')
    if (path.includes('$')) {
      await page.goto(path.replace(/\/\$.*/, ''))
      path = (await page.getByRole('table').getByRole('link').first().getAttribute('href'))!
      // Ends what the list still loads.
      await page.goto('about:blank')
    }
    const requested = recordRequests(page)
    const questions: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) questions.push(request.postData()!)
    })
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    // What the page has asked before its scripts had loaded, the application does not ask again.
    const asked = questions.map((body) => {
      const { operationName, variables } = JSON.parse(body)
      return `${operationName} ${JSON.stringify(variables)}`
    })
    // Two parts of the administration ask what is set up.
    const repeated = asked.filter((question, place) => asked.indexOf(question) !== place)
    expect(repeated.filter((question) => !question.startsWith('SetupChecklist'))).toEqual([])
    const scripts = requested.filter(isScript)
    // Fewer are not even the sign-in page: they would not have been counted.
    expect(scripts.length).toBeGreaterThan(2)
    expect(scripts.length, scripts.join('\n')).toBeLessThanOrEqual(MAX_SCRIPTS)
    if (WITHOUT_FORMS.includes(screen)) expect(scripts.filter((name) => /\/forms-/.test(name))).toEqual([])
  })
}
