import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { INSTITUTION, REGISTRAR } from '../harness/accounts.ts'
import { type Document, makeReport, makeSeries } from '../harness/documents.ts'
import { openFlakyProxy } from '../harness/flaky-proxy.ts'
import {
  chooseFiles,
  FILE_ADDRESS,
  hasBytes,
  makeReferredPatient,
  SEND_LABEL,
  sendFiles,
} from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

const MIB = 1024 * 1024
const TITLE = 'Ecografie abdominală'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Holds the requests with bytes of files back until `release` is called. */
async function holdBytes(page: Page) {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  let count = 0
  await page.route(FILE_ADDRESS, async (route) => {
    if (hasBytes(route.request())) {
      count += 1
      await promise
    }
    // A request that the page has aborted cannot be continued.
    await route.continue().catch(() => undefined)
  })
  return { count: () => count, release }
}

const rowOf = (page: Page, { name }: Document) => page.getByRole('listitem').filter({ hasText: name })

const submitted = (page: Page) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: TITLE }) })
    .getByText('de verificat')

test('five files are sent three at a time, one request each, and a paused file frees its place', async ({
  open,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const names = ['unu', 'doi', 'trei', 'patru', 'cinci']
  const files = await Promise.all(names.map((name) => makeReport(folder, `${name}.pdf`, name, 1)))
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  const bytes = await holdBytes(page)
  await sendFiles(page, files, TITLE)
  await expect.poll(bytes.count).toBe(3)
  await expect(page.getByText(/^Așteaptă · /)).toHaveCount(2)
  const paused = files.find(({ name }) => name === 'unu.pdf')!
  await page.getByRole('button', { name: `Oprește ${paused.name}` }).click()
  await expect(rowOf(page, paused).getByText('Oprit ·')).toBeVisible()
  await expect.poll(bytes.count).toBe(4)
  await expect(page.getByText(/^Așteaptă · /)).toHaveCount(1)
  bytes.release()
  await expect(page.getByText('4 din 5 fișiere')).toBeVisible()
  await page.getByRole('button', { name: `Continuă ${paused.name}` }).click()
  await expect(submitted(page)).toBeVisible()
  // The paused file needed a second one.
  expect(bytes.count()).toBe(files.length + 1)
})

test('an upload continues by itself after the network was lost, and after a reload with the same file', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/net::ERR_/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const series = await makeSeries(folder, 'Serie.zip', 40)
  const proxy = await openFlakyProxy(product.port)
  const page = await open(REGISTRAR, { at: proxy.url })
  const offsets: number[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  page.on('dialog', (dialog) => dialog.accept())
  await page.goto(`/patients/${patient.id}`)

  await test.step('the network is lost and restored', async () => {
    const cut = proxy.cutAfter(10 * MIB)
    await sendFiles(page, [series], TITLE)
    await cut
    await page.context().setOffline(true)
    await expect(rowOf(page, series).getByText('Legătura s-a întrerupt, continuă singur')).toBeVisible()
    await expect(page.getByText('Încărcarea așteaptă conexiunea')).toBeVisible()
    proxy.restore()
    const again = proxy.cutAfter(10 * MIB)
    await page.context().setOffline(false)
    await again
    expect(offsets.filter((offset) => offset > MIB)).toHaveLength(1)
  })

  await test.step('the page is reloaded in the middle of the file', async () => {
    await page.getByRole('button', { name: 'Pauză' }).click()
    await expect(rowOf(page, series).getByText('Oprit ·')).toBeVisible()
    proxy.restore()
    await page.reload()
    await expect(page.getByText('Alege din nou aceleași fișiere')).toBeVisible()
    await chooseFiles(page, [series])
    await page.getByRole('button', { name: 'Continuă de unde a rămas' }).click()
    await page.getByRole('button', { name: SEND_LABEL }).click()
    await expect(submitted(page)).toBeVisible({ timeout: 60_000 })
    expect(offsets.filter((offset) => offset > 10 * MIB)).toHaveLength(1)
  })
  const stored = await product.db
    .selectFrom('file')
    .select(['name', 'size'])
    .where('name', '=', series.name)
    .execute()
  expect(stored).toEqual([{ name: series.name, size: series.size }])
  await proxy.close()
})

test('an upload is cancelled while a file is sent', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Anulat.pdf', patient.name, 1)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  const bytes = await holdBytes(page)
  await sendFiles(page, [report], TITLE)
  await expect.poll(bytes.count).toBe(1)
  const cancel = page.getByRole('button', { name: 'Anulează încărcarea' })
  await cancel.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Anulează încărcarea' }).click()
  await expect(page.getByText('Încărcarea a fost anulată')).toBeVisible()
  await expect(page.getByText('Trage aici rezultatele pacientului')).toBeVisible()
  bytes.release()
  const uploads = await product.db
    .selectFrom('upload')
    .leftJoin('file', 'file.upload_id', 'upload.id')
    .select(['state', 'file.name'])
    .where('patient_id', '=', patient.id)
    .execute()
  expect(uploads).toEqual([{ state: 'withdrawn', name: null }])
})

test('a 401 while a file is sent ends the session', async ({ open, product, expectError }) => {
  expectError(/status of 401/)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Sesiune.pdf', patient.name, 1)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  const bytes = await holdBytes(page)
  await sendFiles(page, [report], TITLE)
  await expect.poll(bytes.count).toBe(1)
  await expect(page.getByRole('heading', { name: `Se încarcă: ${TITLE}` })).toBeVisible()
  await page.getByRole('button', { name: `Oprește ${report.name}` }).click()
  bytes.release()
  await page.getByRole('button', { name: `Continuă ${report.name}` }).focus()
  await page.context().clearCookies()
  // Not a click: a request of the page itself may end the session before it.
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Sesiune încheiată' })).toBeVisible()
})
