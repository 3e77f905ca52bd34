import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '../harness/accessibility.ts'
import { INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, test } from '../harness/test.ts'

const REJECT = `mutation ($id: ID!, $version: Int!) {
  rejectUpload(id: $id, version: $version, reason: "incomplete", comment: "Lipsește pagina a doua.") { id } }`
const ACCEPT = `mutation ($id: ID!, $version: Int!, $files: [ID!]) {
  acceptUpload(id: $id, version: $version, openedFileIds: $files) { id } }`
const UPLOAD = 'query ($id: ID!) { upload(id: $id) { version files { id } } }'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-own-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('a rejection reaches its author on any page, and one press leads to what mends it [2.5]', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Ecografie', report)
  const page = await open(REGISTRAR)
  const menu = page
    .getByRole('navigation', { name: 'Principală' })
    .getByRole('link', { name: /Încărcările mele/ })
  await page.goto('/patients')
  await expect(menu).toContainText(/de rezolvat/)
  const count = Number.parseInt((await menu.getByText(/^\d+ de rezolvat$/).textContent())!, 10)

  const reviewer = await client(REVIEWER)
  const { upload } = await reviewer.runQuery(UPLOAD, { id: uploadId })
  await reviewer.runQuery(REJECT, { id: uploadId, version: upload.version })
  const notice = page.getByRole('alertdialog').filter({ hasText: 'a fost respinsă' })
  await expect(notice).toBeVisible()
  await expect(menu.getByText(`${count + 1} de rezolvat`, { exact: true })).toBeAttached()
  await menu.click()
  const row = page
    .getByRole('table', { name: 'De rezolvat' })
    .getByRole('row')
    .filter({ hasText: patient.name })
  await expect(row).toContainText('Lipsește pagina a doua.')
  await expectAccessible(page)
  await row.getByRole('link', { name: /Adaugă fișiere/ }).click()
  await expect(page.getByRole('dialog')).toContainText(/fișiere/)
  await expect(page).not.toHaveURL(/mend/)
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Adaugă fișiere' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('its author sees when the institution has opened a result', async ({ open, client, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', patient.name, 1)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), patient, 'Ecografie', report)
  const reviewer = await client(REVIEWER)
  const { upload } = await reviewer.runQuery(UPLOAD, { id: uploadId })
  const files = upload.files.map(({ id }: { id: string }) => id)
  await reviewer.runQuery(ACCEPT, { id: uploadId, version: upload.version, files })
  const page = await open(REGISTRAR)
  await page.goto('/bulk')
  const row = page
    .getByRole('table', { name: 'Verificate' })
    .getByRole('row')
    .filter({ hasText: patient.name })
  await expect(row).toContainText('încă nedeschisă', { timeout: 20_000 })
  await expectAccessible(page)
  await (await client(INSTITUTION)).runQuery('query ($id: ID!) { upload(id: $id) { id } }', { id: uploadId })
  await page.reload()
  await expect(row).toContainText(/deschisă \d/)
})

test('an upload without a patient proposes the one whom its file names', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const whose = `Pacient: ${patient.name} CNP: ${patient.cnp}`
  const report = await makeReport(folder, 'Raport fără pacient.pdf', whose, 1)
  await uploadDocument(await client(REGISTRAR), patient, `Ecografie ${patient.name}`, report, {
    patientId: null,
    institutionId: null,
  })
  const page = await open(REGISTRAR)
  await page.goto('/bulk')
  const row = page.getByRole('row').filter({ hasText: `Ecografie ${patient.name}` })
  await row.getByRole('link', { name: /Alege pacientul/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('list', { name: 'Pacienți propuși din fișiere' })
    .getByRole('button', { name: patient.name })
    .press('Enter')
  await expect(dialog.getByRole('combobox', { name: 'Pacient' })).toHaveValue(patient.name)
  await dialog.getByRole('button', { name: 'Salvează' }).press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('link', { name: patient.name }).first()).toBeVisible()
})
