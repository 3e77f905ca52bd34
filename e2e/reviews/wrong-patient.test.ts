import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectAccessible } from '../harness/accessibility.ts'
import { ADMIN, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { acceptByKey } from '../harness/review.ts'
import { expect, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-wrong-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

test('a reviewer moves a released result, the institution deletes what it has, an administrator closes the incident', async ({
  open,
  client,
  product,
}) => {
  const wrong = await makeReferredPatient(product, INSTITUTION)
  const right = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${wrong.name} CNP ${wrong.cnp}`, 1)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), wrong, 'Ecografie', report)
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await acceptByKey(page)
  await expect(page.getByText('a fost eliberată către')).toBeVisible()

  const institution = await open(INSTITUTION)
  await institution.goto('/institution')
  await institution.locator(`[data-result="${uploadId}"]`).click()
  await expect(institution.getByRole('dialog', { name: wrong.name })).toBeVisible()
  await institution.keyboard.press('Escape')

  await page.goto(`/uploads/${uploadId}`)
  // Withdrawing names those who have opened it too.
  await page.getByRole('button', { name: 'Retrage încărcarea' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('a deschis rezultatul')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Anulează' }).click()
  await page.getByRole('button', { name: 'Corectează' }).click()
  await page.getByRole('menuitem', { name: 'Alt pacient' }).click()
  const sheet = page.getByRole('dialog', { name: /Mută nr\. \d+ la alt pacient/ })
  await expect(sheet).toContainText('a deschis rezultatul')
  await expectAccessible(page)
  await sheet.getByRole('combobox', { name: 'Pacient' }).fill(right.name)
  await page.getByRole('option', { name: right.name }).first().click()
  // The report has the CNP of the wrong patient, so that the move needs a reason.
  const compared = sheet.getByRole('region', { name: 'Fișierele și pacientul ales' })
  await expect(compared).toContainText('CNP: nu se potrivește')
  await expect(compared).toContainText('Raport.pdf')
  await sheet.getByRole('textbox', { name: /Cum s-a aflat/ }).fill('Clinica a sunat: alt nume în raport.')
  await sheet.getByRole('button', { name: 'Mută și deschide incident' }).click()
  await expect(sheet.getByText('Alege de ce este corect așa.')).toBeVisible()
  await sheet.getByText('Greșeală de scriere în document', { exact: true }).click()
  await sheet.getByRole('textbox', { name: 'În câteva cuvinte' }).fill('CNP-ul este scris greșit.')
  await expectAccessible(page)
  await sheet.getByRole('button', { name: 'Mută și deschide incident' }).click()
  await expect(page.getByText(/a fost mutată și așteaptă verificarea/)).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.getByRole('link', { name: /Incidentul nr\./ }).click()
  await expect(page.getByText('nu a răspuns încă')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Încheie' })).toHaveCount(0)

  // Live, without the name of either patient.
  const requests = institution.getByRole('region', { name: 'Cereri de ștergere' })
  await expect(requests).toBeVisible()
  for (const { name } of [wrong, right]) await expect(requests).not.toContainText(name)
  await expect(institution.locator(`[data-result="${uploadId}"]`)).toHaveCount(0)
  await expectAccessible(institution)
  await expect(requests.getByRole('list', { name: 'Cine l-a deschis' })).toContainText('a deschis rezultatul')
  await requests.getByRole('button', { name: 'Am șters' }).click()
  await expectAccessible(institution)
  await institution.getByRole('button', { name: 'Confirmați ștergerea' }).click()
  await expect(requests).toContainText('Ștergerea este confirmată')
  await expect(requests.locator(':focus')).toContainText('Ștergerea este confirmată')
  await expect(page.getByText('a confirmat ștergerea')).toBeVisible()

  const admin = await open(ADMIN)
  await admin.goto('/admin?tab=incidente')
  await expect(admin.getByRole('table', { name: 'Incidente' })).toContainText('1 din 1')
  await admin.goto(page.url())
  await expect(admin.getByText(/Mai sunt 7[12] de ore/)).toBeVisible()
  await admin.getByRole('button', { name: 'Notează' }).click()
  const notices = admin.getByRole('dialog', { name: 'Anunțarea incidentului' })
  for (const [label, option] of [
    ['ANSPDCP', 'ANSPDCP a fost anunțată'],
    ['Persoanele', /^Persoanele nu trebuie/],
  ] as const) {
    await notices.getByRole('button', { name: label }).first().click()
    await admin.getByRole('option', { name: option }).click()
  }
  await notices.getByRole('button', { name: 'Salvează' }).click()
  await expect(admin.getByText(/^ANSPDCP a fost anunțată \(/)).toBeVisible()
  const downloading = admin.waitForEvent('download')
  await admin.getByRole('button', { name: 'Raport PDF' }).click()
  expect((await downloading).suggestedFilename()).toMatch(/^incident-\d+\.pdf$/)
  await admin.getByRole('button', { name: 'Încheie' }).click()
  await admin.getByRole('textbox', { name: 'Motivul' }).fill('Clinica a confirmat.')
  await admin.getByRole('dialog').getByRole('button', { name: 'Încheie' }).click()
  await expect(admin.getByText(/^Încheiat pe/)).toBeVisible()
  await expectAccessible(admin)
})
