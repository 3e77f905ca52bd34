import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClient } from '../../test/client.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

/** The script that these tests block. */
const CHUNK = '**/assets/search-*.js'
const field = (page: Page) => page.getByRole('combobox', { name: 'Caută în site' })
const opening = (page: Page) => page.getByRole('status').filter({ hasText: 'Se deschide căutarea' })

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Blocks the palette's script until the returned function is called. */
async function holdBack(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(CHUNK, async (route) => {
    await released
    await route.continue()
  })
  return release
}

/** Opens an upload that one key would release, as its reviewer, and collects the page's mutations. */
async function openReview(page: Page, product: Product, registrar: TestClient) {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${patient.name}, CNP ${patient.cnp}`, 1)
  const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie sub căutare', report)
  const changes: string[] = []
  page.on('request', (request) => {
    const { operationName } = request.url().endsWith('/graphql') ? request.postDataJSON() : {}
    if (/^(Accept|Reject|Edit|Withdraw)/.test(operationName)) changes.push(operationName)
  })
  await page.goto(`/uploads/${uploadId}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  // Before that no key gives a verdict.
  await expect(page.getByRole('button', { name: 'Acceptă' })).toBeEnabled()
  return { changes }
}

test('keys typed after Ctrl K go to the search, however late it loads, and are no verdict [1.7]', async ({
  open,
  client,
  product,
}) => {
  const page = await open(REVIEWER)
  const release = await holdBack(page)
  const { changes } = await openReview(page, product, await client(REGISTRAR))
  await page.keyboard.press('Control+k')
  await page.keyboard.type('anr')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await page.keyboard.type('a')
  await expect(opening(page)).toBeVisible()
  await expectAccessible(page)
  release()
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('ana')
  await page.keyboard.type('n')
  await expect(field(page)).toHaveValue('anan')

  // An open palette keeps keys from the review, also those pressed outside it.
  await page.evaluate(() => {
    for (const key of ['a', 'e'])
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await expect(page.getByRole('dialog')).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(changes).toEqual([])
  await page.keyboard.press('a')
  await expect(page.getByText(/acceptată/)).toBeVisible()
  expect(changes).toEqual(['AcceptUpload'])
})

test('the button captures keys too; Escape releases them, and nothing opens afterwards', async ({
  open,
  client,
  product,
}) => {
  const page = await open(REVIEWER)
  const release = await holdBack(page)
  const { changes } = await openReview(page, product, await client(REGISTRAR))
  await page.getByRole('button', { name: 'Caută' }).click()
  await page.keyboard.type('aaa')
  await expect(opening(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(opening(page)).toHaveCount(0)
  expect(changes).toEqual([])
  const arrived = page.waitForResponse(CHUNK)
  release()
  await (await arrived).finished()
  await page.keyboard.press('a')
  await expect(page.getByText(/acceptată/)).toBeVisible()
  expect(changes).toEqual(['AcceptUpload'])
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // The earlier text is not shown the next time.
  await page.keyboard.press('Control+k')
  await expect(field(page)).toBeFocused()
  await expect(field(page)).toHaveValue('')
})

test('a palette that does not load shows an error, releases the keys and can be retried', async ({
  open,
  client,
  product,
  expectError,
}) => {
  expectError(/assets\/search-/)
  const page = await open(REVIEWER)
  await page.route(CHUNK, (route) => route.abort())
  const { changes } = await openReview(page, product, await client(REGISTRAR))
  await page.keyboard.press('Control+k')
  await expect(page.getByText('Căutarea nu s-a deschis')).toBeVisible()
  await expect(opening(page)).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByText('Acceptă încărcarea')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.unroute(CHUNK)
  await page.getByRole('button', { name: 'Încearcă din nou' }).click()
  await expect(field(page)).toBeFocused()
  expect(changes).toEqual([])
})

test('the palette is loaded before it is opened', async ({ open }) => {
  const page = await open(REGISTRAR)
  const arrived = page.waitForResponse(CHUNK)
  await page.goto('/institutions')
  expect((await arrived).status()).toBe(200)
})
