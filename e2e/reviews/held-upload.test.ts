import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCnp } from '../../shared/romania/cnp.ts'
import type { TestClient } from '../../test/client.ts'
import { CREATE_UPLOAD, SUBMIT_UPLOAD } from '../../test/documents.ts'
import { tusRequests } from '../../test/tus.ts'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { makePerson, setSetting } from '../harness/people.ts'
import type { Product } from '../harness/product.ts'
import { acceptByKey, stateOf } from '../harness/review.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-held-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

async function fileReport(product: Product, registrar: TestClient, text = '') {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${patient.name} ${text}`, 1)
  const { uploadId } = await uploadDocument(registrar, patient, 'Ecografie', report)
  return { uploadId, patient }
}

/** Files two documents in one upload. */
async function fileTwo(product: Product, registrar: TestClient): Promise<string> {
  const { id: patientId, institutionId, name } = await makeReferredPatient(product, INSTITUTION)
  const upload = { title: 'Ecografie', patientId, institutionId }
  const { id } = (await registrar.runQuery(CREATE_UPLOAD, { upload })).createUpload
  const tus = tusRequests(registrar.fetch)
  for (const fileName of ['Raport.pdf', 'Imagini.pdf']) {
    const bytes = await readFile((await makeReport(folder, fileName, `${name} ${fileName}`, 1)).path)
    await tus.patch(await tus.begin(id, bytes, fileName), 0, bytes)
  }
  await registrar.runQuery(SUBMIT_UPLOAD, { id })
  await expect.poll(() => stateOf(product, id), { timeout: 20_000 }).toBe('in_review')
  return id
}

const openReview = async (page: Page, id: string) => {
  await page.goto(`/uploads/${id}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
}

test('another CNP in a file is a line beside the patient, a mark in the lists and a dialog before the acceptance', async ({
  open,
  client,
  product,
}) => {
  const foreign = makeCnp({ sex: 'female', birthDate: '1981-06-26', county: 12, serial: 162 })
  const { uploadId, patient } = await fileReport(product, await client(REGISTRAR), `CNP ${foreign}`)
  const registrar = await open(REGISTRAR)
  await registrar.goto('/bulk')
  const row = registrar.getByRole('row').filter({ hasText: patient.name })
  // The list begins with the uploads that have waited longest.
  const more = registrar
    .getByRole('region', { name: 'În lucru' })
    .getByRole('button', { name: 'Încarcă mai multe' })
  await expect(async () => {
    if (await more.isVisible()) await more.click()
    await expect(row.getByText('Alt pacient în fișier')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await registrar.goto(`/patients/${patient.id}`)
  await expect(registrar.getByText('Alt pacient în fișier')).toBeVisible()

  const page = await open(REVIEWER)
  await page.goto(`/uploads?q=${encodeURIComponent(patient.name.split(' ')[0]!)}`)
  await expect(page.getByRole('row').filter({ hasText: patient.name })).toContainText('Alt pacient în fișier')
  await openReview(page, uploadId)
  await expect(page.getByRole('list', { name: 'În fișiere' })).toContainText(
    `CNP: nu se potrivește*********${foreign.slice(-4)} în Raport.pdf`,
  )
  await acceptByKey(page)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Alt pacient în fișier')
  await expectAccessible(page)
  await page.keyboard.press('3')
  await page.keyboard.type('CNP-ul mamei')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('a fost eliberată către')).toBeVisible()
  expect(await stateOf(product, uploadId)).toBe('released')

  await openReview(page, uploadId)
  const verdicts = page.getByRole('region', { name: 'Verdicte' })
  await expect(verdicts).toContainText('Persoană din familie sau însoțitor')
  await expect(verdicts).toContainText('CNP-ul mamei')
  await expect(verdicts).toContainText('Nu se potrivește (CNP): „Raport.pdf”.')
})

test('a file that was not opened is named before the acceptance, and one click shows it', async ({
  open,
  client,
  product,
}) => {
  const uploadId = await fileTwo(product, await client(REGISTRAR))
  const page = await open(REVIEWER)
  await openReview(page, uploadId)
  await acceptByKey(page)
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Fișiere pe care nu le-ai deschis')
  await dialog.getByRole('button', { name: 'Imagini.pdf' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Ai văzut 1 din 2 fișiere.')).toBeHidden()
  expect(await stateOf(product, uploadId)).toBe('in_review')
  await acceptByKey(page)
  await expect(page.getByText(/Nr\. \d+ acceptată/)).toBeVisible()
  expect(await stateOf(product, uploadId)).toBe('released')
})

test('a verdict undone at second nine was seen by nobody; kept, it is released after ten', async ({
  open,
  client,
  product,
}) => {
  test.setTimeout(120_000)
  const restore = await setSetting(product, 'undo_seconds', 10)
  try {
    const { uploadId, patient } = await fileReport(product, await client(REGISTRAR))
    const institution = await open((await makeInstitutionUser(product)).email)
    const asked: string[] = []
    institution.on('response', async (response) => {
      if (response.url().includes('/graphql')) asked.push(await response.text().catch(() => ''))
    })
    await institution.goto('/institution')
    await expect(institution.getByRole('heading', { level: 1 })).toBeVisible()
    const page = await open(REVIEWER)
    await openReview(page, uploadId)
    await acceptByKey(page)
    const acceptedAt = Date.now()
    await expect(page.getByText(/Nr\. \d+ acceptată/)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Anulează (Z)' })).toBeVisible()
    await expect(page).not.toHaveURL(new RegExp(uploadId))
    await pause(acceptedAt + 8_700 - Date.now())
    await page.keyboard.press('z')
    await expect(page.getByText('Verdictul a fost anulat')).toBeVisible()
    await expect(page).toHaveURL(new RegExp(`/uploads/${uploadId}`))
    expect(await stateOf(product, uploadId)).toBe('in_review')
    await expect(page.getByRole('region', { name: 'Verdicte' })).toContainText('anulat')
    await pause(4_000)
    expect(await stateOf(product, uploadId)).toBe('in_review')
    expect(asked.join()).not.toContain(patient.name)
    await expect(institution.getByText(patient.name)).toHaveCount(0)

    await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
    await acceptByKey(page)
    await expect(institution.getByText(patient.name).first()).toBeVisible({ timeout: 25_000 })
    await expect(page.getByRole('button', { name: 'Anulează (Z)' })).toBeHidden()
  } finally {
    await restore()
  }
})

/** Makes a user of the institution that has referred the patients. */
async function makeInstitutionUser(product: Product) {
  const person = await makePerson(product, INSTITUTION)
  const { institution_id } = await product.db
    .selectFrom('user_institution')
    .innerJoin('app_user', 'app_user.id', 'user_institution.user_id')
    .select('institution_id')
    .where('email', '=', INSTITUTION)
    .executeTakeFirstOrThrow()
  await product.db.insertInto('user_institution').values({ user_id: person.id, institution_id }).execute()
  return person
}
