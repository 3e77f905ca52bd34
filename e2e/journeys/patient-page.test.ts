import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makeUpload } from '../../db/factories.ts'
import { openDiskStorage } from '../../server/platform/storage/disk-storage.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { signInClient } from '../harness/client.ts'
import { makeReport } from '../harness/documents.ts'
import { openFlakyProxy } from '../harness/flaky-proxy.ts'
import { blockResponses } from '../harness/graphql-line.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { expect, type Page, test } from '../harness/test.ts'

const folder = await mkdtemp(join(tmpdir(), 'dosar-patient-page-'))
test.afterAll(() => rm(folder, { recursive: true }))

const TITLE = 'Ecografie abdominală'
const facts = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const skeleton = (page: Page) => page.getByRole('main').getByRole('status', { name: 'Se încarcă' })
const result = (page: Page) => page.getByRole('main').getByText(TITLE)

/** Makes a patient with one result. */
async function makePatientWithResult(product: Product) {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const { id: patient_id, institutionId: institution_id } = patient
  await makeUpload(product.db, storage, { patient_id, institution_id, title: TITLE, state: 'released' })
  return patient
}

/** Makes every read of uploads wait until the returned function is called. */
async function holdUploads({ db }: Product): Promise<() => Promise<void>> {
  const transaction = await db.startTransaction().execute()
  await sql`lock table upload in access exclusive mode`.execute(transaction)
  return () => transaction.rollback().execute()
}

test('the patient’s data is shown while the results are still loading [7.8]', async ({ open, product }) => {
  const patient = await makePatientWithResult(product)
  const page = await open(REGISTRAR)
  const release = await holdUploads(product)
  try {
    await page.goto(`/patients/${patient.id}`)
    await expect(facts(page, patient.name)).toBeVisible()
    await expect(skeleton(page)).toBeVisible()
    await expect(result(page)).toHaveCount(0)
  } finally {
    await release()
  }
  await expect(result(page)).toBeVisible()
  await expect(skeleton(page)).toHaveCount(0)
})

test('a click on a row shows the patient or the upload that the row names, before its page has arrived', async ({
  open,
  product,
}) => {
  const patient = await makePatientWithResult(product)
  const storage = await openDiskStorage(`${product.dataDir}/files`)
  const { id: patient_id, institutionId: institution_id } = patient
  await makeUpload(product.db, storage, { patient_id, institution_id, title: 'Spirometrie' })
  for (const { role, list, operation, title, arrived } of [
    { role: REGISTRAR, list: '/patients', operation: 'PatientPage', title: patient.name, arrived: TITLE },
    { role: REVIEWER, list: '/uploads', operation: 'UploadPage', title: 'Spirometrie', arrived: 'Autor' },
  ]) {
    const page = await open(role)
    const release = await blockResponses(page, operation)
    await page.goto(`${list}?q=${encodeURIComponent(patient.name)}`)
    await page.getByRole('row').filter({ hasText: patient.name }).getByRole('link').first().click()
    await expect(facts(page, title)).toBeVisible()
    await expect(page.getByRole('main').getByText(patient.name).first()).toBeVisible()
    await expect(skeleton(page)).toBeVisible()
    release()
    await expect(page.getByRole('main').getByText(arrived).first()).toBeVisible()
    await expect(facts(page, title)).toBeVisible()
  }
})

test('a connection that breaks between the two results loses only the uploads, which can be reloaded', async ({
  open,
  product,
  expectError,
}) => {
  expectError(/ERR_CONNECTION_|ERR_SOCKET_NOT_CONNECTED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|WebSocket/)
  const patient = await makePatientWithResult(product)
  const line = await openFlakyProxy(product.port)
  const page = await open(REGISTRAR, { at: line.url })
  const release = await holdUploads(product)
  try {
    await page.goto(`/patients/${patient.id}`)
    await expect(facts(page, patient.name)).toBeVisible()
    await expect(skeleton(page)).toBeVisible()
    line.cut()
    await expect(page.getByText('Serverul nu a răspuns.')).toBeVisible()
    await expect(facts(page, patient.name)).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(1)
  } finally {
    await release()
  }
  line.restore()
  await page.getByRole('button', { name: 'Încearcă din nou' }).click()
  await expect(result(page)).toBeVisible()
  await expect(facts(page, patient.name)).toBeVisible()
  await line.close()
})

test('shows a small picture of each file to staff, in the place of its icon', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'buletin.pdf', patient.name, 2)
  const registrar = await signInClient(product.url, REGISTRAR)
  const { uploadId } = await uploadDocument(registrar, patient, TITLE, report)
  const hasThumbnail = async () => {
    const query = 'query ($id: ID!) { upload(id: $id) { files { hasThumbnail } } }'
    return (await registrar.runQuery(query, { id: uploadId })).upload.files[0].hasThumbnail
  }
  await expect.poll(hasThumbnail, { timeout: 20_000 }).toBe(true)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  const picture = page.getByRole('img', { name: 'miniatură: buletin.pdf' })
  await expect.poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalHeight)).toBe(320)
  await expect(page.getByRole('img', { name: 'document PDF' })).toHaveCount(0)
  // In a box of 36 pixels, whatever the shape of the page.
  expect((await picture.boundingBox())!.height).toBe(36)
})
