import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { READ_UPLOAD_STATE } from '../../test/documents.ts'
import { DEMO_PASSWORD, INSTITUTION, REGISTRAR, REVIEWER } from '../harness/accounts.ts'
import { makeReport } from '../harness/documents.ts'
import { makeReferredPatient, uploadDocument } from '../harness/new-upload.ts'
import { expect, type Page, test } from '../harness/test.ts'

let folder: string
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dosar-e2e-files-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const search = (page: Page) => page.getByRole('searchbox', { name: 'Caută un pacient' })

/** Blocks every request of the address until the returned function is called. */
async function blockRequests(page: Page, address: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Dispatches the browser's paste event, without a clipboard. */
const paste = (page: Page, text: string) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const target = document.activeElement ?? document.body
    target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)

test('text typed and pasted while the page loads is in the search field', async ({ open }) => {
  const page = await open(REGISTRAR)
  const release = await blockRequests(page, /patients-page/)
  await page.goto('/patients', { waitUntil: 'commit' })
  await expect(page.locator('html[data-theme]')).toBeAttached()
  await page.keyboard.type('29503121')
  await paste(page, '20451')
  release()
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('2950312120451')
  await page.keyboard.type('x')
  await expect(search(page)).toHaveValue('2950312120451x')
})

test('text typed after Tab while the page loads goes to no field: it may be a password', async ({ open }) => {
  const page = await open(null)
  const release = await blockRequests(page, /assets\/index-/)
  await page.goto('/', { waitUntil: 'commit' })
  await expect(page.locator('html[data-theme]')).toBeAttached()
  await page.keyboard.type(REGISTRAR)
  await page.keyboard.press('Tab')
  await page.keyboard.type(DEMO_PASSWORD)
  release()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  await expect(page.getByLabel('E-mail')).toHaveValue(REGISTRAR)
  await expect(page.getByLabel('Parolă', { exact: true })).toHaveValue('')
})

test('text typed while signing in goes to no field: it may be the password again', async ({ open }) => {
  const page = await open(null)
  await page.goto('/patients')
  await expect(page.getByLabel('E-mail')).toBeFocused()
  const release = await blockRequests(page, /api\/auth\/callback\/local/)
  const show = await blockRequests(page, /api\/auth\/session/)
  const sent = page.waitForRequest(/api\/auth\/callback\/local/)
  const shown = page.waitForRequest(/api\/auth\/session/)
  await page.keyboard.type(REGISTRAR)
  await page.keyboard.press('Tab')
  await page.keyboard.type(DEMO_PASSWORD)
  await page.keyboard.press('Enter')
  await sent
  await page.keyboard.type(DEMO_PASSWORD)
  await expect(page.getByLabel('Parolă', { exact: true })).toHaveValue(DEMO_PASSWORD)
  release()
  await shown
  await page.keyboard.type(DEMO_PASSWORD)
  show()
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
  await page.keyboard.type('2950312120451')
  await expect(search(page)).toHaveValue('2950312120451')
})

test('text typed before the return from a provider is shown goes to no field', async ({
  open,
  expectError,
}) => {
  // The answer for machines names no icon.
  expectError(/favicon\.ico/)
  const page = await open(REGISTRAR)
  await page.goto('/healthz')
  // As left by the start of a sign-in at a provider.
  await page.evaluate(() => sessionStorage.setItem('dosar-provider-sign-in', ''))
  const release = await blockRequests(page, /patients-page/)
  await page.goto('/patients', { waitUntil: 'commit' })
  await expect(page.locator('html[data-theme]')).toBeAttached()
  await page.keyboard.type(DEMO_PASSWORD)
  release()
  await expect(search(page)).toBeFocused()
  await expect(search(page)).toHaveValue('')
})

test('text typed or pasted outside a field goes to the search of patients', async ({ open }) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await expect(search(page)).toBeFocused()
  const link = page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name: 'Pacienți' })
  await link.click()
  await page.keyboard.type('2950')
  await expect(search(page)).toHaveValue('2950')
  await link.focus()
  await paste(page, '312')
  await expect(search(page)).toHaveValue('312')
  await expect(search(page)).toBeFocused()
})

test('a verdict button is disabled, with a reason, until the document is shown', async ({
  open,
  client,
  product,
}) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Raport.pdf', `${patient.name}, CNP ${patient.cnp}`, 1)
  const registrar = await client(REGISTRAR)
  const { uploadId } = await uploadDocument(registrar, patient, 'Radiografie toracică', report)
  const page = await open(REVIEWER)
  const release = await blockRequests(page, /\/files\/[^/]+\/preview/)
  await page.goto(`/uploads/${uploadId}`)
  const accept = page.getByRole('toolbar', { name: 'Verdict' }).getByRole('button', { name: 'Acceptă' })
  await expect(accept).toBeDisabled()
  await page.keyboard.press('a')
  await expect(page.getByText('Documentul încă se încarcă')).toBeVisible()
  release()
  await expect(accept).toBeEnabled()
  await expect(page.getByText('Documentul încă se încarcă')).toHaveCount(0)
  expect((await registrar.runQuery(READ_UPLOAD_STATE, { id: uploadId })).upload.state).toBe('in_review')
  await page.keyboard.press('a')
  await expect(page.getByText(new RegExp(`acceptată: ${patient.name}`))).toBeVisible()
})

test('an upload moved to another patient proposes the doctor who referred that patient', async ({
  open,
  client,
  product,
}) => {
  const { db } = product
  const [former, next] = [
    await makeReferredPatient(product, INSTITUTION),
    await makeReferredPatient(product, INSTITUTION),
  ]
  for (const [patient, doctor] of [
    [former, 'Dr. Bălășescu'],
    [next, 'Dr. Țone'],
  ] as const)
    await db.updateTable('referral').set({ doctor }).where('patient_id', '=', patient.id).execute()
  const report = await makeReport(folder, 'Raport.pdf', 'Raport', 1)
  const { uploadId } = await uploadDocument(await client(REGISTRAR), former, 'Radiografie', report)
  await db
    .updateTable('upload')
    .set({ referring_doctor: 'Dr. Bălășescu' })
    .where('id', '=', uploadId)
    .execute()
  const page = await open(REVIEWER)
  await page.goto(`/uploads/${uploadId}`)
  await expect(page.locator('[data-page="1"] canvas')).toBeVisible()
  await page.keyboard.press('e')
  const doctor = page.getByLabel('Medic trimițător')
  await expect(doctor).toHaveValue('Dr. Bălășescu')
  const picker = page.getByRole('combobox', { name: 'Pacient' })
  await picker.fill(next.name)
  await expect(page.getByRole('option')).toHaveCount(1)
  await picker.press('Enter')
  await expect(picker).toHaveValue(next.name)
  await expect(doctor).toHaveValue('Dr. Țone')
})

test('a filled new upload is not left without a question', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const report = await makeReport(folder, 'Ecografie.pdf', patient.name, 1)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  await page.locator('input[type=file]').first().setInputFiles(report.path)
  await page.getByLabel('Titlu').fill('Ecografie abdominală')
  const back = page.getByRole('navigation', { name: 'Principală' }).getByRole('link', { name: 'Pacienți' })
  await back.click()
  const question = page.getByRole('alertdialog', { name: 'Renunți la fișierele alese?' })
  await question.getByRole('button', { name: 'Rămâi pe pagină' }).click()
  await expect(page.getByLabel('Titlu')).toHaveValue('Ecografie abdominală')
  const requested = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  const dialog = await requested
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()
  await back.click()
  await question.getByRole('button', { name: 'Pleacă oricum' }).click()
  await expect(search(page)).toBeVisible()
})

test('forty files at once show in one line which were left out', async ({ open, product }) => {
  const patient = await makeReferredPatient(product, INSTITUTION)
  const paths = Array.from({ length: 40 }, (_, place) => join(folder, `Imagine ${place + 1}.txt`))
  for (const path of paths) await writeFile(path, path)
  const page = await open(REGISTRAR)
  await page.goto(`/patients/${patient.id}`)
  await page.locator('input[type=file]').first().setInputFiles(paths)
  const alert = page.getByRole('alert').filter({ hasText: '20 de fișiere nu au fost adăugate' })
  await expect(alert.getByText('o încărcare are cel mult 20 de fișiere')).toHaveCount(1)
  await expect(alert.getByText('Imagine 40.txt')).toBeHidden()
  await alert.getByText('Vezi numele').click()
  await expect(alert.getByText('Imagine 40.txt')).toBeVisible()
})

test('a name in capital or small letters is proposed in normal spelling', async ({ open }) => {
  const page = await open(REGISTRAR)
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Adaugă pacient' }).click()
  const surname = page.getByRole('textbox', { name: 'Nume', exact: false }).first()
  await surname.fill('ȚĂRANU-șerban')
  await surname.press('ArrowDown')
  await expect(surname).toHaveValue('Țăranu-Șerban')
  const given = page.getByLabel('Prenume')
  await given.fill('ana maria')
  await page.getByRole('button', { name: 'Scrie „Ana Maria”' }).click()
  await expect(given).toHaveValue('Ana Maria')
  await expect(given).toBeFocused()
  await expect(page.getByRole('button', { name: /^Scrie „/ })).toHaveCount(0)
  const birth = page.getByRole('textbox', { name: 'Data nașterii' })
  await birth.fill('01.01.1850')
  await given.focus()
  await expect(page.getByText('Data nașterii nu poate fi înainte de')).toBeVisible()
  await birth.fill('01.01.2999')
  await given.focus()
  await expect(page.getByText('Data nașterii nu poate fi în viitor.')).toBeVisible()
})
