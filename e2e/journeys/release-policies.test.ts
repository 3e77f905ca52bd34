import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { makeCategory } from '../../db/factories.ts'
import type { TestClient } from '../../test/client.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import type { Product } from '../harness/product.ts'
import { acceptByKey } from '../harness/review.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/**
 * Makes an upload in review, in a category with this policy, whose document has the patient's CNP on each
 * page.
 */
async function fileUnder(
  product: Product,
  registrar: TestClient,
  policy: Parameters<typeof makeCategory>[1],
  over: Parameters<typeof uploadDocument>[4] = {},
) {
  const { slug } = await makeCategory(product.db, policy)
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, `${slug}.pdf`, `${patient.name}, CNP ${patient.cnp}`, 2)
  const { uploadId: id } = await uploadDocument(registrar, patient, 'Biopsie', report, {
    ...over,
    categorySlug: slug,
  })
  return { id, patient, slug }
}

const openReview = async (page: Page, id: string) => {
  await page.goto(`/uploads/${id}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
}

const accept = async (page: Page, outcome: RegExp) => {
  await acceptByKey(page)
  await expect(page.getByText(outcome)).toBeVisible()
}

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })

test('two reviewers accept, hours pass, and only then the institution sees it; each sees the other’s action', async ({
  open,
  client,
  product,
}) => {
  const policy = { reviewers: 2, release: 'after_hours', release_hours: 720 }
  const { id, patient } = await fileUnder(product, await client(REGISTRAR), policy)
  const one = await open(REVIEWER)
  const two = await open(ADMIN)
  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  for (const page of [one, two]) {
    await openReview(page, id)
    await expect(
      page.getByText('Necesită două verificări. Se eliberează la 720 de ore după acceptare.'),
    ).toBeVisible()
  }

  await test.step('the other reviewer is notified of the first acceptance and looks again', async () => {
    await accept(one, /Este prima din două verificări/)
    await expect(two.getByText(/Necesită două verificări: a acceptat .+ la \d\d:\d\d\./)).toBeVisible()
    await expect(two.getByRole('alert').filter({ hasText: 'a acceptat-o în timp ce o citeai' })).toBeVisible()
    await expectAccessible(two)
  })

  await test.step('it stays marked in the queue of the first reviewer, who cannot give the second verdict', async () => {
    await one.goto(`/uploads?q=${encodeURIComponent(patient.name.split(' ')[0]!)}`)
    await expect(rowOf(one, patient.name).getByText('1 din 2 verificări: tu')).toBeVisible()
    await openReview(one, id)
    await expect(
      one.getByText(/Ai acceptat-o la \d\d:\d\d\. A doua verificare o face altcineva\./),
    ).toBeVisible()
    await expect(one.getByRole('button', { name: 'Respinge' })).toBeVisible()
    await expect(one.getByRole('button', { name: 'Acceptă' })).toHaveCount(0)
    // The key counts half a second after the document is shown, and changes nothing here.
    await expect(async () => {
      await one.keyboard.press('a')
      expect(await one.getByText(/Ai acceptat-o deja/).count()).toBe(1)
    }).toPass()
  })

  await test.step('the second acceptance sets the time of its release', async () => {
    await two.getByRole('button', { name: 'Am văzut, continuă' }).click()
    await accept(two, /Se eliberează pe .+\./)
    await expect(one.getByText(/^Se eliberează pe/)).toBeVisible()
    await expect(institution.getByText(patient.name)).toHaveCount(0)
  })

  await test.step('it is returned to review, and needs both reviewers again', async () => {
    await expectAccessible(one)
    await one.getByRole('button', { name: 'Înapoi la verificare' }).click()
    await expect(one.getByText(/^Necesită două verificări\. /)).toBeVisible()
    await accept(one, /Este prima din două verificări/)
    await openReview(two, id)
    await accept(two, /Se eliberează pe/)
  })

  await test.step('the product releases it when its time has come', async () => {
    await product.db.updateTable('upload').set({ release_at: new Date() }).where('id', '=', id).execute()
    await sql`update pgboss.job set start_after = now() where name = 'release-due-uploads'`.execute(
      product.db,
    )
    await expect(institution.getByRole('link').filter({ hasText: patient.name })).toBeVisible()
  })
})

test('an upload with manual release waits under its tab until a reviewer releases it, on a phone too', async ({
  open,
  client,
  product,
}) => {
  const { id, patient } = await fileUnder(product, await client(REGISTRAR), { release: 'by_hand' })
  const page = await open(REVIEWER, { viewport: { width: 360, height: 740 } })
  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  await openReview(page, id)
  await expect(page.getByText('După acceptare, așteaptă să fie eliberată.')).toBeVisible()
  await accept(page, /Așteaptă să fie eliberată\./)

  await page.goto(`/uploads?state=${encodeURIComponent('["accepted"]')}`)
  await expect(page.getByRole('tab', { name: 'De eliberat' })).toHaveAttribute('aria-selected', 'true')
  await expect(rowOf(page, patient.name).getByText('Așteaptă să fie eliberată')).toBeVisible()
  await rowOf(page, patient.name).getByRole('link').first().click()
  await expect(page.getByText('Este acceptată, dar nimeni din afară nu o vede încă.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Acceptă' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Eliberează', exact: true }).click()
  await expect(page.getByText('Eliberată', { exact: true })).toBeVisible()
  await expect(institution.getByRole('link').filter({ hasText: patient.name })).toBeVisible()
})

test('without required review a document with the patient’s CNP is released automatically, with a notice', async ({
  open,
  client,
  product,
}) => {
  const registrar = await client(REGISTRAR)
  // Without a patient at first: otherwise it is released before a browser is open.
  const withoutPatient = { patientId: null, institutionId: null }
  const { id, patient, slug } = await fileUnder(
    product,
    registrar,
    { review_required: false },
    withoutPatient,
  )
  const page = await open(REVIEWER)
  await openReview(page, id)

  const { version } = (await registrar.runQuery('query ($id: ID!) { upload(id: $id) { version } }', { id }))
    .upload
  const { id: patientId, institutionId } = patient
  const upload = { title: 'Biopsie', patientId, institutionId, categorySlug: slug }
  const change = `mutation ($id: ID!, $version: Int!, $upload: UploadInput!) {
    editUpload(id: $id, version: $version, upload: $upload) { state } }`
  await registrar.runQuery(change, { id, version, upload })
  await expect(page.getByText('Acceptată automat')).toBeVisible()
  await expect(page.getByText('Eliberată', { exact: true })).toBeVisible()
})
