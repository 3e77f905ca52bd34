import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClient } from '../../test/client.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { acceptByKey } from '../harness/review.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-corrections-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileReport(product: Product, registrar: TestClient) {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie', report)
  return { uploadId, patient }
}
const openUpload = async (page: Page, id: string) => {
  await page.goto(`/uploads/${id}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
}
const accept = async (page: Page, id: string) => {
  await openUpload(page, id)
  await acceptByKey(page)
  await expect(page.getByText(/a fost eliberată către|acceptată/).first()).toBeVisible()
}
const openCorrection = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'Corectează' }).click()
  await page.getByRole('menuitem', { name }).click()
}
const uploadOf = ({ db }: Product, id: string) =>
  db.selectFrom('upload').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('the reviewer corrects the category and the title of a released upload, with a reason', async ({
  open,
  client,
  product,
}) => {
  const { uploadId } = await fileReport(product, await client(REGISTRAR))
  const page = await open(REVIEWER)
  await accept(page, uploadId)
  await openUpload(page, uploadId)
  await openCorrection(page, 'Datele încărcării')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Titlu').fill('Radiografie de torace')
  await dialog.getByRole('combobox', { name: 'Categorie' }).fill('torace')
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Corectează' }).click()
  await expect(dialog.getByText('este necesar').first()).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Motivul corecturii').fill('Altă examinare')
  await dialog.getByRole('button', { name: 'Corectează' }).click()
  await expect(page.getByText(/Nr\. \d+ a fost corectată/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Radiografie de torace')
  const { state, category_slug } = await uploadOf(product, uploadId)
  expect([state, category_slug]).toEqual(['released', expect.stringContaining('torace')])

  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  await expect(institution.locator(`[data-result="${uploadId}"]`)).toContainText('Radiografie de torace')
  // A registrar may file a new version, and correct nothing.
  const registrar = await open(REGISTRAR)
  await openUpload(registrar, uploadId)
  await registrar.getByRole('button', { name: 'Corectează' }).click()
  await expect(registrar.getByRole('menuitem')).toHaveText(['Înlocuiește fișierele'])
})

test('a released upload is replaced: the institution sees the former version until the release of the new one', async ({
  open,
  client,
  product,
}) => {
  test.setTimeout(120_000)
  const { uploadId, patient } = await fileReport(product, await client(REGISTRAR))
  const reviewer = await open(REVIEWER)
  await accept(reviewer, uploadId)
  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  const former = institution.locator(`[data-result="${uploadId}"]`)
  await former.click()
  await expect(institution.getByRole('dialog', { name: patient.name })).toBeVisible()
  await institution.getByRole('button', { name: 'Închide' }).last().click()
  await expect(former).not.toContainText('necitit')

  const page = await open(REGISTRAR)
  await openUpload(page, uploadId)
  await openCorrection(page, 'Înlocuiește fișierele')
  const dialog = page.getByRole('dialog')
  const report = await makeReport(folder, 'Raport corect.pdf', `${patient.name} corect`, 1)
  await dialog.locator('input[type=file]').setInputFiles(report.path)
  await expect(dialog.getByText('Raport corect.pdf')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('De ce se înlocuiește').fill('Lipsea o pagină')
  await dialog.getByRole('button', { name: 'Trimite versiunea nouă' }).click()
  await expect(page.getByText('Trimis la verificare')).toBeVisible()
  await expect(page.getByText('Are o versiune nouă în lucru')).toBeVisible()
  await page
    .getByRole('alert')
    .or(page.locator('main'))
    .getByRole('link', { name: /^nr\. \d+$/ })
    .first()
    .click()
  await expect(page.getByText('Înlocuiește la eliberare')).toBeVisible()
  const newId = new URL(page.url()).pathname.split('/').at(-1)!
  expect(newId).not.toBe(uploadId)
  await expect.poll(async () => (await uploadOf(product, newId)).state, { timeout: 20_000 }).toBe('in_review')
  await expect(former).toBeVisible()

  await accept(reviewer, newId)
  const current = institution.locator(`[data-result="${newId}"]`)
  await expect(current).toContainText('actualizat')
  await expect(current).toContainText('nou')
  await expect(former).toHaveCount(0)
  await openUpload(page, uploadId)
  await expect(page.getByText(/Înlocuită la \d\d\.\d\d\.\d{4}/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Corectează' })).toHaveCount(0)
  // The institution had opened the former one.
  const recall = institution.locator(`[data-recall="${uploadId}"]`)
  await expect(recall).toContainText('Înlocuit la')
  await recall.getByRole('link', { name: 'Deschideți versiunea nouă' }).click()
  await expect(institution.getByRole('dialog')).toContainText('Rezultat actualizat')
})

test('the author swaps a file of a rejected upload and sends it to review again', async ({
  open,
  client,
  product,
}) => {
  const registrar = await client(REGISTRAR)
  const { uploadId, patient } = await fileReport(product, registrar)
  const reviewer = await client(REVIEWER)
  const { version } = await uploadOf(product, uploadId)
  await reviewer.runQuery(
    'mutation ($id: ID!, $version: Int!) { rejectUpload(id: $id, version: $version, reason: "wrong-file") { id } }',
    { id: uploadId, version },
  )
  const page = await open(REGISTRAR)
  await openUpload(page, uploadId)
  await page.getByRole('button', { name: 'Elimină Raport.pdf' }).click()
  await page.getByLabel('Motivul').fill('Este al altei examinări')
  await page.getByRole('button', { name: 'Elimină', exact: true }).click()
  await expect(page.getByText('„Raport.pdf” a fost eliminat')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Fișiere eliminate' })).toContainText(
    'Este al altei examinări',
  )

  await page.getByRole('button', { name: 'Adaugă fișiere' }).click()
  const dialog = page.getByRole('dialog')
  const report = await makeReport(folder, 'Raport bun.pdf', `${patient.name} bun`, 1)
  await dialog.locator('input[type=file]').setInputFiles(report.path)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Încarcă și trimite din nou' }).click()
  await expect(page.getByText('Trimis la verificare')).toBeVisible()
  await expect
    .poll(async () => (await uploadOf(product, uploadId)).state, { timeout: 20_000 })
    .toBe('in_review')
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  const files = await product.db
    .selectFrom('file')
    .select(['name', 'removed_at', 'scan_result'])
    .where('upload_id', '=', uploadId)
    .orderBy('position')
    .execute()
  expect(files).toMatchObject([
    { name: 'Raport.pdf', removed_at: expect.any(Date) },
    { name: 'Raport bun.pdf', removed_at: null, scan_result: expect.stringMatching('clean|unscanned') },
  ])
})
